/**
 * The lookups of many writes at once: what is asked for in the same turn becomes one statement per table and column,
 * and every answer is kept for the batch. Rules and linkage ask one row at a time and need not know.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import DataLoader from 'dataloader'
import type { Lookups } from './lookups.ts'
import { createRowFinder } from './row-finder.ts'
import type { RunStatement } from './run-statement.ts'
import { selectAmong } from './sql/batch-statements.ts'

type Rows = DataLoader<string | number, readonly Row[]>

/** One per batch. Only for writers whose scope shows all of the environment. */
export const batchedLookups = (registry: Registry, environmentId: number, run: RunStatement): Lookups => {
  const loaders = new Map<string, Rows>()
  const rowsBy = ({ table }: ResourceDefinition, column: string, value: unknown): Promise<readonly Row[]> => {
    if (typeof value !== 'string' && typeof value !== 'number') return Promise.resolve([])
    const key = `${table}.${column}.${typeof value}`
    const loader = loaders.get(key) ?? createLoader(table, column)
    loaders.set(key, loader)
    return loader.load(value)
  }
  const createLoader = (table: string, column: string): Rows =>
    new DataLoader(
      async (values) => {
        const rows = await run(selectAmong(table, environmentId, column, values))
        if (column !== 'id') keepByNumber(table, rows)
        const found = Map.groupBy(rows, (row) => row[column])
        return values.map((value) => found.get(value) ?? [])
      },
      { maxBatchSize: 10_000 },
    )
  /** A row that was found by its code will be asked for by its number next. */
  const keepByNumber = (table: string, rows: readonly Row[]): void => {
    const key = `${table}.id.number`
    const byNumber = loaders.get(key) ?? createLoader(table, 'id')
    loaders.set(key, byNumber)
    for (const row of rows) if (typeof row['id'] === 'number') byNumber.prime(row['id'], [row])
  }
  const counts = new Map<string, Promise<number>>()
  const direct = createRowFinder(registry, environmentId, run)
  return {
    find: {
      byNumber: async (type, number) => (await rowsBy(registry.require(type), 'id', number))[0],
      byColumn: async (type, column, value) => {
        const rows = await rowsBy(registry.require(type), column, value)
        return rows.length === 1 ? rows[0] : undefined
      },
      count: (type, where) => {
        const key = JSON.stringify([type, where])
        const count = counts.get(key) ?? direct.count(type, where)
        counts.set(key, count)
        return count
      },
    },
    linkable: async (identifier) => {
      const definition = registry.require(identifier.type)
      const number = identifier.number ?? registry.ids.decode(idTypeOf(definition), identifier.id)
      const [row] = await rowsBy(definition, 'id', number)
      return row !== undefined && isOfType(row, definition, registry) ? number : undefined
    },
    having: rowsBy,
  }
}

const isOfType = (row: Row, { type, memberOf }: ResourceDefinition, registry: Registry): boolean => {
  const column = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  return column === undefined || row[column] === type
}
