/** Errors of Prisma and pg → "the database is away", which callers may try again, or a fault of ours. */
import { AppError } from '@merx/errors/app-error'

/** Kinds of @prisma/driver-adapter-utils that say there was no connection. */
const KINDS_AWAY = [
  'DatabaseNotReachable',
  'DatabaseDoesNotExist',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]

/**
 * SQLSTATE: connection exceptions, too many connections, shutdown or start-up, statement timeout, not accepting
 * connections, read-only until a replica has taken over (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const SQLSTATE_AWAY = /^(?:08...|53300|57P0[1-5]|57014|55000|25006)$/

/** Prisma: server not reachable (P1001), timed out (P1002, P1008), closed (P1017), no connection free (P2024, P2028). */
const PRISMA_AWAY = /^P(?:1001|1002|1008|1017|2024|2028)$/

const SYSTEM_AWAY = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

/** pg gives these without any code. */
const PG_AWAY = /^(?:timeout exceeded when trying to connect|Connection terminated)/

const field = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

const isOneOf = (pattern: RegExp, value: unknown): boolean => typeof value === 'string' && pattern.test(value)

export const isDatabaseAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const driver = field(field(field(error, 'meta'), 'driverAdapterError'), 'cause')
  const kind = field(driver, 'kind')
  if (typeof kind === 'string' && KINDS_AWAY.includes(kind)) return true
  if (isOneOf(SQLSTATE_AWAY, field(driver, 'originalCode'))) return true
  const code = field(error, 'code')
  return (
    [PRISMA_AWAY, SYSTEM_AWAY, SQLSTATE_AWAY].some((pattern) => isOneOf(pattern, code)) ||
    PG_AWAY.test(error.message)
  )
}

/** 503 with Retry-After when the database is away; any other error as it is. */
export const toDatabaseUnavailable = (error: unknown): unknown =>
  isDatabaseAway(error)
    ? new AppError('oauth_unavailable', { cause: error, headers: { 'Retry-After': '1' } })
    : error
