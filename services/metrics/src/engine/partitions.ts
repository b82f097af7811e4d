/** The partitions of a table and what they are made of: as long as that is the same, so is what they hold. */
import type { Statement } from '../sql/statement.ts'
import type { Engine, Row } from './engine.ts'

export interface Partition {
  readonly id: string
  /** Rows of all versions. */
  readonly rows: number
  /** Another one after each write and merge. */
  readonly state: string
}

export interface Partitions {
  /** As of now: read, unless nothing was written since, nor is. None of a table that is spread over a cluster. */
  now(table: string, run: (statement: Statement) => Promise<readonly Row[]>): Promise<readonly Partition[]>
}

const PARTITIONS = `SELECT partition_id AS id, sum(rows) AS rows, sum(cityHash64(path)) AS state
FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String} GROUP BY partition_id`

export const createPartitions = ({ writes }: Pick<Engine, 'writes'>): Partitions => {
  const known = new Map<string, { readonly writes: number; readonly partitions: readonly Partition[] }>()
  return {
    now: async (table, run) => {
      const before = writes?.()
      const isQuiet = before !== undefined && before % 2 === 0
      const last = known.get(table)
      if (isQuiet && last?.writes === before) return last.partitions
      const rows = await run({ text: PARTITIONS, params: { table } })
      const partitions = rows.map(({ id, rows, state }): Partition => ({
        id: String(id),
        rows: Number(rows),
        state: String(state),
      }))
      if (isQuiet && before === writes?.()) known.set(table, { writes: before, partitions })
      return partitions
    },
  }
}
