/** Errors of calls to core → the errors that auth answers. */
import { AppError } from '@merx/errors/app-error'
import { InternalCallError } from '@merx/http/internal-call-error'

/** An unavailable core is answered with 503 and Retry-After, never with a refusal that looks like a wrong password. */
export const toUnavailable = (error: unknown): never => {
  if (!(error instanceof InternalCallError)) throw error
  throw new AppError('oauth_unavailable', { cause: error, headers: { 'Retry-After': '1' } })
}

export const undefinedIfNotFound = (error: unknown): undefined => {
  if (error instanceof InternalCallError && error.status === 404) return undefined
  return toUnavailable(error)
}
