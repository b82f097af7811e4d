/** The engine over `@clickhouse/client`: a ClickHouse server by URL, or chdb in this process by folder. One SQL for both. */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import { fromEngineError } from './engine-errors.ts'
import type { Engine, Row } from './engine.ts'
import { runUntilAborted } from './run-until-aborted.ts'

/** `url` as in `http://user:password@host:8123/database`; `path` a folder that only this process uses. */
export type EngineLocation = { readonly url: string } | { readonly path: string }

type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

const WRITE_TIMEOUT_MS = 120_000

/** Loaded when a folder is opened, and only then: half a gigabyte that an image with CLICKHOUSE_URL does without. */
const loadChdb = () => {
  try {
    return createRequire(import.meta.url)('chdb/connection') as typeof import('chdb/connection')
  } catch (cause) {
    throw new Error('the embedded analytics engine is not installed here; set CLICKHOUSE_URL', { cause })
  }
}

const openFolder = (path: string) => {
  const { createChdbConnection } = loadChdb()
  try {
    return createChdbConnection({ path })
  } catch (cause) {
    const message = `the analytics folder ${path} cannot be opened; is another process using it?`
    throw new Error(message, { cause })
  }
}

const connect = (location: EngineLocation): ClickHouseClient => {
  if ('path' in location) {
    // chdb types its connection by its own copy of the client's settings class, which has a private member
    const connection = openFolder(location.path) as unknown as ClientConnection
    return createClient({ connection })
  }
  return createClient({
    url: location.url,
    application: 'merx-metrics',
    request_timeout: WRITE_TIMEOUT_MS,
    keep_alive: { enabled: true },
    // Its own lines are not JSON; what fails is thrown and logged by the caller.
    log: { level: ClickHouseLogLevel.OFF },
  })
}

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
    `log_comment = '${mark}'`,
    'output_format_json_quote_decimals = 1',
    'output_format_json_quote_64bit_integers = 1',
  ].join(', ')

/** Opens the engine. Nothing is sent before the first call; a folder is created when it is missing. */
export const openEngine = (location: EngineLocation): Engine => {
  const client = connect(location)
  // A connection of its own, because the embedded engine does one thing at a time on each; opened when it is needed.
  let killer: ClickHouseClient | undefined

  const query = async (statement: Statement, budget: Budget, mark: string): Promise<readonly Row[]> => {
    const result = await client.query({
      query: withBudget(statement, budget, mark),
      query_params: { ...statement.params },
      format: 'JSONEachRow',
    })
    return result.json<Row>()
  }

  /** The mark is a UUID of ours, so it may stand in the text: a parameter would wait for the query that is to end. */
  const kill = async (mark: string): Promise<void> => {
    killer ??= connect(location)
    await killer.command({ query: `KILL QUERY WHERE Settings['log_comment'] = '${mark}' ASYNC` })
  }

  return {
    run: async (statement, budget, signal) => {
      signal?.throwIfAborted()
      const mark = randomUUID()
      const work = query(statement, budget, mark)
      try {
        if (signal === undefined) return await work
        return await runUntilAborted({ work, kill: () => kill(mark), signal })
      } catch (error) {
        signal?.throwIfAborted()
        throw fromEngineError(error)
      }
    },
    insert: async (table, rows) => {
      try {
        await client.insert({ table, values: [...rows], format: 'JSONEachRow' })
      } catch (error) {
        throw fromEngineError(error)
      }
    },
    execute: async ({ text, params }) => {
      try {
        await client.command({ query: text, query_params: { ...params } })
      } catch (error) {
        throw fromEngineError(error)
      }
    },
    ping: async () => {
      const result = await client.ping({ select: true })
      if (!result.success) throw fromEngineError(result.error)
    },
    close: async () => {
      await killer?.close()
      await client.close()
    },
  }
}
