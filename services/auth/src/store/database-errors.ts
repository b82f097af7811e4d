/** Errors of Prisma and pg → "the database is away", which callers may try again, or a fault of ours. */
import { AppError } from '@merx/errors/app-error'
import { isAwayCode, isAwayError } from '@merx/postgres/away'

/** Kinds of @prisma/driver-adapter-utils that say there was no connection. */
const KINDS_AWAY = [
  'DatabaseNotReachable',
  'DatabaseDoesNotExist',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]

/**
 * Prisma: server not reachable (P1001), timed out (P1002, P1008), closed (P1017), no connection free (P2024, P2028), in the
 * way of another transaction (P2034).
 */
const PRISMA_AWAY = /^P(?:1001|1002|1008|1017|2024|2028|2034)$/

/** PostgreSQL says the same of SQL of ours: no order to be had among transactions, or a deadlock. */
const IN_THE_WAY = ['40001', '40P01']

const field = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

export const isDatabaseAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const driver = field(field(field(error, 'meta'), 'driverAdapterError'), 'cause')
  const kind = field(driver, 'kind')
  if (typeof kind === 'string' && KINDS_AWAY.includes(kind)) return true
  const state = field(driver, 'originalCode')
  if (isAwayCode(state) || IN_THE_WAY.some((known) => known === state)) return true
  const code = field(error, 'code')
  return (typeof code === 'string' && PRISMA_AWAY.test(code)) || isAwayError(error)
}

/** 503 with Retry-After when the database is away; any other error as it is. */
export const toDatabaseUnavailable = (error: unknown): unknown =>
  isDatabaseAway(error)
    ? new AppError('oauth_unavailable', { cause: error, headers: { 'Retry-After': '1' } })
    : error

/** Another row has what may be there once alone (Prisma: P2002). */
export const isTaken = (error: unknown): boolean => error instanceof Error && field(error, 'code') === 'P2002'

/** A row that is referred to is not there, or not any more (Prisma: P2003). */
export const isReferenceBroken = (error: unknown): boolean =>
  error instanceof Error && field(error, 'code') === 'P2003'
