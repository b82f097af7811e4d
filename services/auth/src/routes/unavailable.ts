/** "Try again later", from wherever it comes, in the words of OAuth. */
import { AppError } from '@merx/errors/app-error'
import { toDatabaseUnavailable } from '../store/database-errors.ts'

/** Errors of an unavailable database, and errors of packages in JSON:API, as OAuth errors. */
export const toOAuthUnavailable = (thrown: unknown): unknown => {
  const error = toDatabaseUnavailable(thrown)
  if (!(error instanceof AppError) || error.code !== 'service_unavailable') return error
  const { detail, cause, headers, level } = error
  return new AppError('oauth_unavailable', { detail, cause, headers, level })
}
