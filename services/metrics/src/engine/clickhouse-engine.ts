/** The engine over `@clickhouse/client`: a ClickHouse server by URL, or chdb in this process by folder. One SQL for both. */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import { connectToFolder, connectToServer } from './connect.ts'
import { createConnectionPool } from './connection-pool.ts'
import { renderSetParameters } from './embedded-parameters.ts'
import { fromEngineError } from './engine-errors.ts'
import type { CountedRows, Engine, Row } from './engine.ts'
import { insertLines } from './insert-lines.ts'
import { runUntilAborted } from './run-until-aborted.ts'

/** `url` as in `http://user:password@host:8123/database`; `path` a folder that only this process uses. */
export type EngineLocation = { readonly url: string } | { readonly path: string }

/** Reads on the embedded engine at once; whoever asks allows fewer (`QUERY_CONCURRENCY`). */
const READERS_MAX = 16

/** In the text itself: settings sent apart from it would stay set in the embedded engine. `mark` tells the query from others. */
const withBudget = ({ text }: Statement, budget: Budget, mark: string): string =>
  [
    `${text} SETTINGS max_execution_time = ${budget.timeoutMs / 1000}`,
    "timeout_overflow_mode = 'throw'",
    `max_memory_usage = ${budget.memoryBytesMax}`,
    `max_rows_to_group_by = ${budget.groupsMax}`,
    "group_by_overflow_mode = 'throw'",
    `max_result_rows = ${budget.rowsMax}`,
    "result_overflow_mode = 'throw'",
    ...(budget.threadsMax === undefined ? [] : [`max_threads = ${budget.threadsMax}`]),
    `log_comment = '${mark}'`,
    'output_format_json_quote_decimals = 1',
    'output_format_json_quote_64bit_integers = 1',
  ].join(', ')

/** Sends one statement and reads its answer. */
type Read<T> = (client: ClickHouseClient, query: string, params: Statement['params']) => Promise<T>

const readRows: Read<readonly Row[]> = async (client, query, params) => {
  const result = await client.query({ query, query_params: { ...params }, format: 'JSONEachRow' })
  return result.json<Row>()
}

const readCounted: Read<CountedRows> = async (client, query, params) => {
  const text = `${query}, exact_rows_before_limit = 1`
  const result = await client.query({ query: text, query_params: { ...params }, format: 'JSON' })
  const { data, rows_before_limit_at_least: total } = await result.json<Row>()
  if (total === undefined) throw new Error('a statement whose rows are to be counted has a LIMIT')
  return { rows: data, total }
}

/** What the two kinds of engine do differently. */
interface Channel {
  read<T>(statement: Statement, read: Read<T>): Promise<T>
  /** For what changes the store: one at a time. */
  write(work: (client: ClickHouseClient) => Promise<unknown>, params?: Statement['params']): Promise<void>
  /** Never waits for reads or writes. */
  kill(query: string): Promise<void>
  /** How many writes have begun or ended; undefined where others write, too. */
  readonly writes?: () => number
  readonly any: ClickHouseClient
  close(): Promise<void>
}

const openServer = (url: string): Channel => {
  const client = connectToServer(url)
  return {
    read: ({ text, params }, read) => read(client, text, params),
    write: async (work) => {
      await work(client)
    },
    kill: async (query) => {
      await client.command({ query })
    },
    any: client,
    close: () => client.close(),
  }
}

/** A connection does one thing at a time, so there are several: for reads, for writes, and one that ends queries. */
const openEmbedded = (path: string): Channel => {
  const any = connectToFolder(path)
  const closeOne = (client: ClickHouseClient): Promise<void> => client.close()
  const open = (): ClickHouseClient => connectToFolder(path)
  const readers = createConnectionPool({ open, closeOne, max: READERS_MAX })
  const writers = createConnectionPool({ open, closeOne, max: 1 })
  const killers = createConnectionPool({ open, closeOne, max: 1 })
  let writes = 0
  const tell = async (client: ClickHouseClient, params: Statement['params']): Promise<void> => {
    const query = renderSetParameters(params)
    if (query !== undefined) await client.command({ query })
  }
  return {
    read: ({ text, params }, read) =>
      readers.use(async (client) => {
        try {
          const values = renderSetParameters(params)
          return await read(client, values === undefined ? text : `${values}; ${text}`, {})
        } catch (error) {
          // The engine lets go of what a failed query held when its connection is asked the next thing.
          await client.ping({ select: true })
          throw error
        }
      }),
    write: (work, params = {}) =>
      writers.use(async (client) => {
        await tell(client, params)
        writes += 1
        try {
          await work(client)
        } finally {
          writes += 1
        }
      }),
    writes: () => writes,
    kill: (query) =>
      killers.use(async (client) => {
        await client.command({ query })
      }),
    any,
    close: async () => {
      for (const pool of [readers, writers, killers]) await pool.close()
      await any.close()
    },
  }
}

/** Opens the engine. Nothing is sent before the first call; a folder is created when it is missing. */
export const openEngine = (location: EngineLocation): Engine => {
  const isEmbedded = 'path' in location
  const channel = isEmbedded ? openEmbedded(location.path) : openServer(location.url)

  /** The mark is a UUID of ours, so it may stand in the text. */
  const kill = (mark: string): Promise<void> =>
    channel.kill(`KILL QUERY WHERE Settings['log_comment'] = '${mark}' ASYNC`)

  const runAs =
    <T>(read: Read<T>) =>
    async (statement: Statement, budget: Budget, signal?: AbortSignal): Promise<T> => {
      signal?.throwIfAborted()
      const mark = randomUUID()
      const { params } = statement
      const work = channel.read({ text: withBudget(statement, budget, mark), params }, read)
      try {
        if (signal === undefined) return await work
        return await runUntilAborted({ work, kill: () => kill(mark), signal })
      } catch (error) {
        signal?.throwIfAborted()
        throw fromEngineError(error)
      }
    }

  return {
    ...(channel.writes === undefined ? {} : { writes: channel.writes }),
    run: runAs(readRows),
    runCounted: runAs(readCounted),
    insert: async (table, rows) => {
      try {
        await channel.write((client) => client.insert({ table, values: [...rows], format: 'JSONEachRow' }))
      } catch (error) {
        throw fromEngineError(error)
      }
    },
    insertLines: (target, lines) =>
      insertLines((query) => channel.write((client) => client.command({ query })), target, lines),
    execute: async ({ text, params }) => {
      const sent = isEmbedded ? {} : { query_params: { ...params } }
      try {
        await channel.write((client) => client.command({ query: text, ...sent }), params)
      } catch (error) {
        throw fromEngineError(error)
      }
    },
    ping: async () => {
      const result = await channel.any.ping({ select: true })
      if (!result.success) throw fromEngineError(result.error)
    },
    close: () => channel.close(),
  }
}
