/** What is known of tables without reading them: it decides what a query costs, never whether it is right. */
import type { Clock } from '@merx/telemetry/clock'
import type { Budget } from '../request/limits.ts'
import type { LimitedEngine } from './limit-concurrency.ts'

/** Rows of all versions. */
export interface TableRows {
  readonly all: number
  /** In partitions that lie in several parts, which FINAL merges row by row. */
  readonly scattered: number
  /** From the earliest `created_at` to the latest, in milliseconds; 0 where partitions are not of it. */
  readonly spanMs: number
  /** Another one after each write and merge. Undefined of none, and on a cluster, where others write to shards that nobody here sees. */
  readonly state: string | undefined
  /** When the engine was asked. */
  readonly asOfMs: number
}

/** What is known of a table to whoever reads from it. */
export type KnownRows = Pick<TableRows, 'all' | 'scattered' | 'spanMs'> | undefined

/** The same, with whether the rows are all here. */
export type WholeRows = Pick<TableRows, 'all' | 'scattered' | 'spanMs' | 'state'> | undefined

/** One thread is as quick with so many rows as two. */
export const FEW_ROWS = 50_000

export const isSmall = (rows: KnownRows): boolean => rows !== undefined && rows.all <= FEW_ROWS

/** Rows that lie in so many milliseconds, if they are spread evenly. */
const rowsWithin = ({ all, spanMs }: NonNullable<KnownRows>, widthMs: number): number =>
  spanMs === 0 ? 0 : all * Math.min(widthMs / spanMs, 1)

/** FINAL of so many rows takes no longer than one statement more. */
export const ROWS_OF_STATEMENT = 150_000
/** Rows that the engine reads where it reads one. */
const GRANULE = 8_192
/** A record that is read by its key costs its granule, about what FINAL of so many rows costs. */
const ROWS_OF_KEY = 5_000

/**
 * What FINAL has to merge costs no more than a statement more and reading so many records by key, which lie somewhere in so many
 * milliseconds.
 */
export const isFinalCheap = (rows: KnownRows, keys: number, widthMs: number): boolean => {
  if (rows === undefined) return false
  const granules = rowsWithin(rows, widthMs) / GRANULE
  return rows.scattered <= ROWS_OF_STATEMENT + ROWS_OF_KEY * Math.min(keys, granules)
}

/**
 * A page of the statement that counts costs 4 to 10 ms of processor time for each million rows that are counted, one of its own
 * costs 20 to 25 however many they are.
 */
export const ROWS_TO_COUNT_WITH_PAGE = 2_500_000

/**
 * A page and the count of all records of so many milliseconds but `leftOut` rows cost less in one statement than in two. Not where the table is
 * empty or on a cluster, whose nodes would have to add up what they left out.
 */
export const isOneStatementCheaper = (rows: WholeRows, widthMs: number, leftOut = 0): boolean => {
  if (rows?.state === undefined) return false
  const within = rows.spanMs === 0 ? rows.all : rowsWithin(rows, widthMs)
  return within - leftOut <= ROWS_TO_COUNT_WITH_PAGE
}

export interface KnownParts {
  /** As of some seconds ago; undefined as long as nothing is known. */
  rowsOf(table: string): TableRows | undefined
}

const FRESH_MS = 2_000

/** On a cluster the table is a name over others, `<name>_g<n>_local`, of which the node that is asked has a share. */
const ROWS = `SELECT sum(rows) AS all, sumIf(rows, parts > 1) AS scattered, sum(paths) AS state, max(name != {table:String}) AS is_spread,
toUnixTimestamp(max(latest)) - toUnixTimestamp(min(earliest)) AS span_seconds
FROM (SELECT table AS name, count() AS parts, sum(rows) AS rows, sum(cityHash64(path)) AS paths, min(min_time) AS earliest, max(max_time) AS latest FROM system.parts
WHERE active AND database = currentDatabase() AND (table = {table:String} OR match(table, {local:String}))
GROUP BY table, partition_id)`

export const createKnownParts = (
  engine: Pick<LimitedEngine, 'run' | 'quiet'>,
  clock: Clock,
  budget: Budget,
): KnownParts => {
  const known = new Map<string, TableRows>()
  const readAt = new Map<string, number>()
  const read = async (table: string): Promise<TableRows> => {
    await engine.quiet()
    const asOfMs = clock.now().getTime()
    const params = { table, local: `^${table}_g[0-9]+_local$` }
    const [row] = await engine.run({ text: ROWS, params }, budget)
    const all = Number(row?.all ?? 0)
    // a node of a cluster whose share is empty looks like an empty table of its own
    const isWhole = all > 0 && Number(row?.is_spread ?? 1) === 0
    return {
      all,
      scattered: Number(row?.scattered ?? 0),
      spanMs: Number(row?.span_seconds ?? 0) * 1000,
      state: isWhole ? String(row?.state) : undefined,
      asOfMs,
    }
  }
  return {
    rowsOf: (table) => {
      const nowMs = clock.now().getTime()
      if (nowMs - (readAt.get(table) ?? -Infinity) >= FRESH_MS) {
        readAt.set(table, nowMs)
        read(table).then(
          (rows) => known.set(table, rows),
          () => known.delete(table), // an engine that fails is seen by the query itself
        )
      }
      return known.get(table)
    },
  }
}
