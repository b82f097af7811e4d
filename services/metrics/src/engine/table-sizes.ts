/**
 * Caches how many rows a table has, for the number of threads of a query: one thread reads a small table as fast as several,
 * and leaves the other processors to the ingest (docs/adr/0033-parallel-queries-on-the-embedded-engine.md).
 */
import type { Clock } from '@merx/telemetry/clock'
import { LRUCache } from 'lru-cache'
import type { Budget } from '../request/limits.ts'
import type { Engine } from './engine.ts'

export interface TableSizes {
  /** As of some seconds ago; false while nothing is known of the table. */
  isSmall(table: string): boolean
}

export const SMALL_TABLE_ROWS = 50_000

const FRESH_MS = 2_000
const TABLES_MAX = 100

/** Rows of all versions; null for a table that is spread over a cluster. */
const ROWS = `SELECT total_rows AS rows FROM system.tables WHERE database = currentDatabase() AND name = {table:String}`

interface TableSizesDeps {
  readonly engine: Pick<Engine, 'run'>
  readonly clock: Clock
  readonly budget: Budget
}

export const createTableSizes = ({ engine, clock, budget }: TableSizesDeps): TableSizes => {
  const cached = new LRUCache<string, { readonly rows: number }>({
    max: TABLES_MAX,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
    allowStale: true,
    fetchMethod: async (table) => {
      const [row] = await engine.run({ text: ROWS, params: { table } }, budget)
      return { rows: typeof row?.rows === 'string' ? Number(row.rows) : Infinity }
    },
  })
  return {
    isSmall: (table) => {
      const known = cached.get(table, { noDeleteOnStaleGet: true })
      // the query itself reports an engine that fails
      cached.fetch(table).catch(() => undefined)
      return known !== undefined && known.rows <= SMALL_TABLE_ROWS
    },
  }
}
