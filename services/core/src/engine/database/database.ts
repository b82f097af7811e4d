/** The one connection pool of core, with its limits and types. */
import { createPool } from '@merx/postgres/pool'
import type { Logger } from '@merx/telemetry/logger'
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg'
import { isPlanOutdated, toStoreError } from './store-errors.ts'

export interface DatabaseOptions {
  readonly url: string
  /** Most connections at once. Default 10. */
  readonly maxConnections?: number
  /** PostgreSQL cancels a statement that runs longer. Default 10000. */
  readonly statementTimeoutMs?: number
  readonly log?: Logger
}

export interface TransactionOptions {
  /** One snapshot for all statements, and no writes. */
  readonly isReadOnlySnapshot?: boolean
  /**
   * A connection plans each prepared statement once, whatever its values are: for statements that find a few rows by their keys,
   * of which PostgreSQL would plan those with a list of numbers each time.
   */
  readonly hasGenericPlans?: boolean
  readonly opening?: Opening | undefined
}

/** The first statement of a transaction, sent together with BEGIN, so that it costs no turn to PostgreSQL and back. */
export interface Opening {
  /** It has no parameters. */
  readonly text: string
  /** Ends the transaction when it throws. */
  readonly check: (rows: readonly QueryResultRow[]) => void
}

/** Runs a statement; both the pool and a transaction can. Statements of a transaction that do not wait for each other go out at once. */
export interface Queryable {
  /** With a name the statement is prepared once per connection; the same name always has the same text. */
  query<R extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<readonly R[]>
}

export interface Database extends Queryable {
  readonly url: string
  /** For what needs a connection of its own, such as COPY. */
  readonly pool: Pool
  /** Commits when `act` is done, rolls back when it throws. `act` runs again when a migration has outdated a prepared plan. */
  transaction<T>(act: (transaction: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Resolves when the database answers; for readiness checks. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Rows hold int8 as number, numeric as string and instants as Date (see @merx/postgres/pool). */
export const openDatabase = (options: DatabaseOptions): Database => {
  const pool = createPool({
    url: options.url,
    maxConnections: options.maxConnections ?? 10,
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
    applicationName: 'merx-core',
    isPipelined: true,
    ...(options.log === undefined ? {} : { log: options.log }),
  })
  const direct = queryable(pool)
  return {
    url: options.url,
    pool,
    query: async <R extends QueryResultRow>(text: string, values?: readonly unknown[], name?: string) => {
      try {
        return await direct.query<R>(text, values, name)
      } catch (error) {
        return rethrow(error)
      }
    },
    transaction: (act, transactionOptions) => runTransaction(pool, act, transactionOptions).catch(rethrow),
    ping: async () => {
      await direct.query('SELECT 1')
    },
    close: async () => {
      await pool.end()
    },
  }
}

/** Rows instead of pg's results. */
export const queryable = (client: Pool | PoolClient): Queryable => ({
  query: async <R extends QueryResultRow>(text: string, values?: readonly unknown[], name?: string) =>
    (
      await client.query<R>({
        text,
        ...(values === undefined ? {} : { values: [...values] }),
        ...(name === undefined ? {} : { name }),
      })
    ).rows,
})

/** A database that is unavailable is no defect, whichever statement meets it first. */
const rethrow = (error: unknown): never => {
  throw toStoreError(error)
}

/** Connections with outdated plans are closed, at most as many as there are. */
const runTransaction = async <T>(
  pool: Pool,
  act: (transaction: Queryable) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  for (let left = pool.options.max; ; left -= 1) {
    try {
      return await runOnce(pool, act, options)
    } catch (error) {
      if (left === 0 || !isPlanOutdated(error)) throw error
    }
  }
}

const beginWith = ({ isReadOnlySnapshot, hasGenericPlans }: TransactionOptions): string =>
  [
    isReadOnlySnapshot === true ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN',
    ...(hasGenericPlans === true ? ['SET LOCAL plan_cache_mode = force_generic_plan'] : []),
  ].join('; ')

const runOnce = async <T>(
  pool: Pool,
  act: (transaction: Queryable) => Promise<T>,
  options: TransactionOptions,
): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await begin(client, options)
    const result = await act(queryable(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    if (isPlanOutdated(error) && error instanceof Error) broken = error
    // A connection that cannot even roll back is not given to anybody else.
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      broken = rollbackError instanceof Error ? rollbackError : new Error('the rollback failed')
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const begin = async (client: PoolClient, options: TransactionOptions): Promise<void> => {
  const { opening } = options
  if (opening === undefined) {
    await client.query(beginWith(options))
    return
  }
  // Of several statements pg returns several results, which its types do not say.
  const results: unknown = await client.query(`${beginWith(options)}; ${opening.text}`)
  const last: unknown = Array.isArray(results) ? results.at(-1) : undefined
  opening.check((last as QueryResult<QueryResultRow> | undefined)?.rows ?? [])
}
