/** Errors of pg and PostgreSQL → "the database is away", which callers may try again, or a fault of ours. */
import { AppError } from '@merx/errors/app-error'
import { isAwayError } from '@merx/postgres/away'

/** `service_unavailable` when the database is away or too slow; anything else as it is. */
export const toStoreError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof AppError) return error
  return isAwayError(error) ? new AppError('service_unavailable', { cause: error }) : error
}

/** Whether it is one of those that may work later, in our words or in the database's. */
export const isStoreAway = (error: unknown): boolean => {
  const told = toStoreError(error)
  return told instanceof AppError && told.code === 'service_unavailable'
}

/** The SQLSTATE or system code of an error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
