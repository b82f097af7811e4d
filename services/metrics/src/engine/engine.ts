/** The interface of the analytics engine: run statements, insert rows, ping. The rest of the service knows no other one. */
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'

/** One row of an answer by column name; decimals and 64-bit integers are text. */
export type Row = Readonly<Record<string, unknown>>

/** The answer of a statement with LIMIT. */
export interface CountedRows {
  readonly rows: readonly Row[]
  /** How many rows it would have without LIMIT, exactly. */
  readonly total: number
}

export interface LineTarget {
  readonly table: string
  readonly columns: readonly string[]
  /** What every row says in the column of that name; undefined for a table that has none. */
  readonly generation?: number | undefined
}

export interface Engine {
  /**
   * Reads. When `signal` aborts, the query is ended and the signal's reason thrown. Throws AppError `metrics_engine_unavailable`, `metrics_query_timeout` or
   * `metrics_query_too_large`, never the engine's own text.
   */
  run(statement: Statement, budget: Budget, signal?: AbortSignal): Promise<readonly Row[]>
  /** Runs a statement with LIMIT, and counts the rows that it would have without it. */
  runCounted(statement: Statement, budget: Budget, signal?: AbortSignal): Promise<CountedRows>
  /** Writes rows; resolves once they are durable and visible to every later read. */
  insert(table: string, rows: readonly Row[]): Promise<void>
  /**
   * The same from lines of JSON lists, the values in the order of the columns. Sent again when the network fails, under
   * the same token, so that a server that has them already writes nothing. Throws `RowsRefused` when a row does not fit.
   */
  insertLines(target: LineTarget, lines: readonly string[]): Promise<void>
  /**
  /** Runs one statement of a migration or of the ingest. */
  execute(statement: Statement): Promise<void>
  /** Resolves when the engine answers. */
  ping(): Promise<void>
  close(): Promise<void>
}
