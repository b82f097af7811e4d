/** What metrics needs of a columnar engine. */
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'

/** One row of an answer by column name; decimals and 64-bit integers are text. */
export type Row = Readonly<Record<string, unknown>>

export interface Engine {
  /**
   * Reads. When `signal` aborts, the query is ended and the signal's reason thrown. Throws AppError `metrics_engine_unavailable`, `metrics_query_timeout` or
   * `metrics_query_too_large`, never the engine's own text.
   */
  run(statement: Statement, budget: Budget, signal?: AbortSignal): Promise<readonly Row[]>
  /** Writes rows; resolves once they are durable and visible to every later read. */
  insert(table: string, rows: readonly Row[]): Promise<void>
  /** Runs one statement of a migration or of the ingest. */
  execute(statement: Statement): Promise<void>
  /** Resolves when the engine answers. */
  ping(): Promise<void>
  close(): Promise<void>
}
