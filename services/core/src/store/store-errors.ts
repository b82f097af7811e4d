/** Errors of pg and PostgreSQL → "the database is away", which callers may try again, or a fault of ours. */
import { AppError } from '@merx/errors/app-error'

/**
 * SQLSTATE of statements that were cancelled or could not run now, not of faults in them: cancelled, shutting down or
 * starting, out of resources, no connection, and read-only, as a replica is until it has taken over.
 */
const UNAVAILABLE = /^(57014|57P0[1-5]|53[0-9A-Z]{3}|08[0-9A-Z]{3}|25006)$/

/** Of pg and Node: no connection at all. */
const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE']

/** pg gives these without any code: no connection in time, and one that ended below a statement or before it. */
const WITHOUT_CODE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/

/** `service_unavailable` when the database is away or too slow; anything else as it is. */
export const toStoreError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const code = codeOf(error)
  const isAway = code !== undefined && (UNAVAILABLE.test(code) || UNREACHABLE.includes(code))
  return isAway || WITHOUT_CODE.test(error.message)
    ? new AppError('service_unavailable', { cause: error })
    : error
}

/** Whether it is one of those that may work later, in our words or in the database's. */
export const isStoreAway = (error: unknown): boolean => {
  const told = toStoreError(error)
  return told instanceof AppError && told.code === 'service_unavailable'
}

/** The SQLSTATE or system code of an error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
