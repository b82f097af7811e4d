/**
 * The lookups of many writes at once: what is asked for in the same turn becomes one statement per table and column,
 * and every answer is kept for the batch. Rules and linkage ask one row at a time and need not know.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf, idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { includeProblem } from '@merx/jsonapi/parse-include'
import DataLoader from 'dataloader'
import type { RunStatement } from '../database/run-statement.ts'
import { createRowFinder } from '../read/row-finder.ts'
import type { Registry } from '../registry.ts'
import { selectAmong } from '../sql/select-rows.ts'
import type { Lookups } from './lookups.ts'

type Rows = DataLoader<string | number, readonly Row[]>

/** The columns that are read: those that tell a row from others, which most ask for, or all. */
type Extent = 'keys' | 'whole'

/** One per batch. Only for writers whose scope shows all of the environment. */
export const batchedLookups = (registry: Registry, environmentId: number, run: RunStatement): Lookups => {
  const loaders = new Map<string, Rows>()
  const loaderOf = (
    definition: ResourceDefinition,
    column: string,
    valueType: string,
    extent: Extent,
  ): Rows => {
    const key = `${definition.type} ${column} ${valueType} ${extent}`
    const known = loaders.get(key)
    if (known !== undefined) return known
    const loader = createLoader(definition, column, extent)
    loaders.set(key, loader)
    return loader
  }
  const rowsBy = (
    definition: ResourceDefinition,
    column: string,
    value: unknown,
    extent: Extent = 'keys',
  ): Promise<readonly Row[]> =>
    typeof value === 'string' || typeof value === 'number'
      ? loaderOf(definition, column, typeof value, extent).load(value)
      : Promise.resolve([])
  const createLoader = (definition: ResourceDefinition, column: string, extent: Extent): Rows =>
    new DataLoader(
      async (values) => {
        const keys = keyColumns(definition, registry)
        const columns = extent === 'whole' ? undefined : keys.includes(column) ? keys : [...keys, column]
        const rows = await run(selectAmong(definition.table, environmentId, column, values, columns))
        if (column !== 'id') keepByNumber(definition, rows, extent)
        const found = Map.groupBy(rows, (row) => row[column])
        return values.map((value) => found.get(value) ?? [])
      },
      { maxBatchSize: 10_000 },
    )
  /** A row that was found by its code will be asked for by its number next. */
  const keepByNumber = (definition: ResourceDefinition, rows: readonly Row[], extent: Extent): void => {
    const byNumber = loaderOf(definition, 'id', 'number', extent)
    for (const row of rows) if (typeof row['id'] === 'number') byNumber.prime(row['id'], [row])
  }
  const extentOf = (definition: ResourceDefinition, columns: readonly string[] | undefined): Extent => {
    const keys = keyColumns(definition, registry)
    return columns?.every((column) => keys.includes(column)) === true ? 'keys' : 'whole'
  }
  const counts = new Map<string, Promise<number>>()
  const direct = createRowFinder(registry, environmentId, run)
  return {
    allowedNetworks: registry.allowedNetworks,
    seal: registry.seal,
    includeProblem: (path, type) => includeProblem(path, registry.require(type), registry),
    find: {
      byNumber: async (type, number, columns) => {
        const definition = registry.require(type)
        return (await rowsBy(definition, 'id', number, extentOf(definition, columns)))[0]
      },
      byColumn: async (type, column, value, columns) => {
        const definition = registry.require(type)
        const rows = await rowsBy(definition, column, value, extentOf(definition, columns))
        return rows.length === 1 ? rows[0] : undefined
      },
      byColumns: (type, where) => direct.byColumns(type, where),
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

const columnsKept = new WeakMap<ResourceDefinition, readonly string[]>()

/** The number, unique values, and which type a row is of where types share a table. */
const keyColumns = (definition: ResourceDefinition, registry: Registry): readonly string[] => {
  const known = columnsKept.get(definition)
  if (known !== undefined) return known
  const typeColumn = typeColumnOf(definition, registry)
  const unique = Object.entries(definition.attributes).filter(([, attribute]) => attribute.unique)
  const columns = ['id', ...unique.map(([name, attribute]) => columnOf(name, attribute))]
  if (typeColumn !== undefined) columns.push(typeColumn)
  columnsKept.set(definition, columns)
  return columns
}

const typeColumnOf = ({ memberOf }: ResourceDefinition, registry: Registry): string | undefined =>
  memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn

const isOfType = (row: Row, definition: ResourceDefinition, registry: Registry): boolean => {
  const column = typeColumnOf(definition, registry)
  return column === undefined || row[column] === definition.type
}
