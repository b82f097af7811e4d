/** The connection pool every service uses, with one reading of PostgreSQL's types into JavaScript. */
import { instrument } from '@merx/telemetry/instrument'
import type { Logger } from '@merx/telemetry/logger'
import pg, { type Pool } from 'pg'
import { columnTypes } from './column-types.ts'
import { KEEP_ALIVE } from './keep-alive.ts'
import { observePool } from './pool-metrics.ts'

/** Which database, and the bounds on its use. */
export interface PoolOptions {
  /** `postgresql://user:password@host:port/database` */
  readonly url: string
  /** Most connections held at once; a caller beyond that waits up to `connectionTimeoutMs`. */
  readonly maxConnections: number
  /** PostgreSQL cancels a statement that runs longer (SQLSTATE 57014). */
  readonly statementTimeoutMs: number
  /** Seen in pg_stat_activity and in PostgreSQL's log. */
  readonly applicationName: string
  /**
   * Statements that a caller sends to one connection without waiting go out at once and are answered in their order, instead of
   * one after the other. COPY is refused then. Default false.
   */
  readonly isPipelined?: boolean
  /** How long a caller waits for a free connection before an error. Default 5000. */
  readonly connectionTimeoutMs?: number
  /** Logs idle connections that broke; without it they are only replaced. */
  readonly log?: Logger
}

/**
 * To compile a statement of a page takes 60 to 150 ms, which a statement of some milliseconds never earns (docs/adr/0029).
 * Prisma's adapter writes instants without an offset and reads them without the one they have, so sessions are in UTC,
 * whatever the server's time zone is.
 */
const SESSION_SETTINGS = '-c jit=off -c TimeZone=UTC'

/**
 * Longer than the minute between two jobs of a schedule. To open a connection takes some 40 ms of processor time, and the request
 * that needs it waits: with the 10 s of pg it was a third of what an idle system took.
 */
const IDLE_MS = 120_000

/**
 * A `pg.Pool` whose rows hold int8 as number (an error beyond 2^53 - 1), numeric as string, timestamps as
 * Date in UTC and dates as `YYYY-MM-DD` strings. The caller ends it with `pool.end()`.
 *
 * @example const pool = createPool({ url, maxConnections: 10, statementTimeoutMs: 5000, applicationName: 'core' })
 */
export const createPool = (options: PoolOptions): Pool => {
  instrument('pg', pg)
  instrument('pg-pool', pg.Pool)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections,
    statement_timeout: options.statementTimeoutMs,
    application_name: options.applicationName,
    options: SESSION_SETTINGS,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5000,
    idleTimeoutMillis: IDLE_MS,
    pipeline: options.isPipelined ?? false,
    types: columnTypes,
    ...KEEP_ALIVE,
  })
  // Without a listener a server restart would end the process: Node throws unhandled 'error' events.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'an idle database connection broke'))
  // The pool's own listener is off while a connection is in use, and between two statements of a transaction no query
  // would receive it either: the next one fails, and release() then closes the connection.
  pool.on('connect', (client) =>
    client.on('error', (error) => options.log?.debug({ err: error }, 'a database connection broke')),
  )
  observePool(pool, options.applicationName.replace(/^merx-/, ''), options.maxConnections)
  return pool
}
