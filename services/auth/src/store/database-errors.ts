/** Errors of Prisma and pg → "the database is unavailable", which callers may repeat, or an internal error. */
import { AppError } from '@merx/errors/app-error'
import { isUnavailableCode, isUnavailableError } from '@merx/postgres/unavailable'

/** Kinds of @prisma/driver-adapter-utils that say there was no connection. */
const KINDS_UNAVAILABLE = [
  'DatabaseNotReachable',
  'DatabaseDoesNotExist',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]

/** Prisma: server not reachable (P1001), timed out (P1002, P1008), closed (P1017), no connection free (P2024, P2028). */
const PRISMA_UNAVAILABLE = /^P(?:1001|1002|1008|1017|2024|2028)$/

/** Prisma of its own statements, PostgreSQL of ours: no order to be had among transactions, or a deadlock. */
const IN_THE_WAY: readonly unknown[] = ['P2034', '40001', '40P01']

const field = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

const driverErrorOf = (error: Error): unknown =>
  field(field(field(error, 'meta'), 'driverAdapterError'), 'cause')

/** Another transaction was: nothing was done, and it may be tried again at once. */
export const isAnotherInTheWay = (error: unknown): boolean =>
  error instanceof Error &&
  [field(error, 'code'), field(driverErrorOf(error), 'originalCode')].some((code) =>
    IN_THE_WAY.includes(code),
  )

/** Or another transaction was in the way: in either case it may be tried again. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (isAnotherInTheWay(error)) return true
  const driver = driverErrorOf(error)
  const kind = field(driver, 'kind')
  if (typeof kind === 'string' && KINDS_UNAVAILABLE.includes(kind)) return true
  if (isUnavailableCode(field(driver, 'originalCode'))) return true
  const code = field(error, 'code')
  return (typeof code === 'string' && PRISMA_UNAVAILABLE.test(code)) || isUnavailableError(error)
}

/** 503 with Retry-After when the database is unavailable; any other error unchanged. */
export const toDatabaseUnavailable = (error: unknown): unknown =>
  isDatabaseUnavailable(error)
    ? new AppError('oauth_unavailable', { cause: error, headers: { 'Retry-After': '1' } })
    : error

/** Another row has what may be there once alone (Prisma: P2002). */
export const isTaken = (error: unknown): boolean => error instanceof Error && field(error, 'code') === 'P2002'

/** A row that is referred to is not there, or not any more (Prisma: P2003). */
export const isReferenceBroken = (error: unknown): boolean =>
  error instanceof Error && field(error, 'code') === 'P2003'
