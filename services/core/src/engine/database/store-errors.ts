/** Errors of pg and PostgreSQL → "the database is unavailable", which callers may repeat, or an internal error. */
import { AppError } from '@merx/errors/app-error'
import { isUnavailableError } from '@merx/postgres/unavailable'

/** `service_unavailable` when the database is unavailable or too slow; anything else unchanged. */
export const toStoreError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof AppError) return error
  return isUnavailableError(error) ? new AppError('service_unavailable', { cause: error }) : error
}

/** Whether it is one of those that may work later, in our words or in the database's. */
export const isStoreUnavailable = (error: unknown): boolean => {
  const mapped = toStoreError(error)
  return mapped instanceof AppError && mapped.code === 'service_unavailable'
}

/** The SQLSTATE or system code of an error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** A table got a column since the statement was prepared (SQLSTATE 0A000). Only this connection knows the old plan. */
export const isPlanOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')
