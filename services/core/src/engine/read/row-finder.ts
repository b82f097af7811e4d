/** Finds rows for rules: in the writer's environment and the transaction of the write. */
import type { RowFinder } from '@merx/jsonapi/rules'
import type { RunStatement } from '../database/run-statement.ts'
import type { Registry } from '../registry.ts'
import { countWhere, selectRow, selectWhere } from '../sql/select-rows.ts'

export const createRowFinder = (registry: Registry, environmentId: number, run: RunStatement): RowFinder => ({
  byNumber: async (type, number, columns) => {
    if (typeof number !== 'number') return undefined
    const { table } = registry.require(type)
    return (await run(selectRow(table, environmentId, number, false, columns)))[0]
  },
  byColumn: async (type, column, value, columns) => {
    const where = { [column]: value }
    const rows = await run(selectWhere(registry.require(type), environmentId, where, columns))
    return rows.length === 1 ? rows[0] : undefined
  },
  byColumns: async (type, where) => {
    const rows = await run(selectWhere(registry.require(type), environmentId, where))
    return rows.length === 1 ? rows[0] : undefined
  },
  count: async (type, where) => {
    const [row] = await run(countWhere(registry.require(type), environmentId, where))
    return Number(row?.['count'] ?? 0)
  },
})
