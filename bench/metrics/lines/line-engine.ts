/** What an engine has to offer to be compared over order lines. */
import type { LineFiles } from './line-rows.ts'

/** Values of a row in the order of its columns. */
export type Values = readonly unknown[]

/** An engine that is open, in this process or as a process that this one started. */
export interface LineEngine {
  readonly version: string
  /** Creates the table and reads the rows, until they are on disk as queries are to find them. */
  load(files: LineFiles): Promise<void>
  ask(sql: string): Promise<readonly Values[]>
  /** Of the table with its indexes, on disk. */
  sizeBytes(): Promise<number>
  close(): Promise<void>
}

export type OpenLineEngine = (folder: string) => Promise<LineEngine>

/** @throws Error when the engine returned no row */
export const firstValue = ([row]: readonly Values[]): unknown => {
  if (row === undefined) throw new Error('the engine returned no row')
  return row[0]
}
