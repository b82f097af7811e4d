/** The engine over `@clickhouse/client`: a ClickHouse server by URL, or chdb in this process by folder. One SQL for both. */
import { createRequire } from 'node:module'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import { fromEngineError } from './engine-errors.ts'
import type { Engine, Row } from './engine.ts'

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

/** In the text itself: settings sent apart from it would stay set in the embedded engine. */
const withBudget = ({ text }: Statement, budget: Budget): string =>
  [
    `${text} SETTINGS max_execution_time = ${budget.timeoutMs / 1000}`,
    "timeout_overflow_mode = 'throw'",
    `max_memory_usage = ${budget.memoryBytesMax}`,
    `max_rows_to_group_by = ${budget.groupsMax}`,
    "group_by_overflow_mode = 'throw'",
    `max_result_rows = ${budget.rowsMax}`,
    "result_overflow_mode = 'throw'",
    'output_format_json_quote_decimals = 1',
    'output_format_json_quote_64bit_integers = 1',
  ].join(', ')

/** Opens the engine. Nothing is sent before the first call; a folder is created when it is missing. */
export const openEngine = (location: EngineLocation): Engine => {
  const client = connect(location)
  return {
    run: async (statement, budget, signal) => {
      try {
        const result = await client.query({
          query: withBudget(statement, budget),
          query_params: { ...statement.params },
          format: 'JSONEachRow',
          ...(signal === undefined ? {} : { abort_signal: signal }),
        })
        return await result.json<Row>()
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
    close: () => client.close(),
  }
}
