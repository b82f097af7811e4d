/** The numbers of rows that are about to be written: writers of one turn of the event loop share one statement. */
import { createSharedTurns } from '@merx/key-value/shared-turns'
import { reserveNumbers } from '../sql/reserve-numbers.ts'
import type { RunStatement } from './run-statement.ts'

export interface NumberSource {
  /** A number of the table that nobody else gets, taken after it was asked for, so that numbers follow creation. */
  next(table: string): Promise<number>
}

const SHARED_MAX = 100

export const createNumberSource = (run: RunStatement): NumberSource => {
  const turns = createSharedTurns<string, number>(SHARED_MAX, async (table, count) => {
    const rows = await run(reserveNumbers(table, count))
    return rows.map(({ id }) => Number(id))
  })
  return { next: (table) => turns.join(table, table) }
}
