/** Items of an import → the records they update: those with the id they give, else with the same unique key. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf, idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import type { RunStatement } from '../store/run-statement.ts'
import { lockAmong } from '../store/sql/batch-statements.ts'
import type { ColumnValues } from '../store/sql/write-statements.ts'
import type { Importable } from './importable.ts'
import type { ImportItem } from './read-item.ts'

/** What tells a record from others; two items with the same key mean the same record. */
export interface RecordKey {
  readonly columns: readonly string[]
  readonly values: ColumnValues
  readonly text: string
}

/** Undefined: the item has no key, so it is a new record. An id that is none gives `unknown`. */
export const keyOf = (
  item: ImportItem,
  definition: ResourceDefinition,
  { keys }: Importable,
  registry: Registry,
): RecordKey | 'unknown' | undefined => {
  if (item.id !== undefined) {
    const id = registry.ids.decode(idTypeOf(definition), item.id)
    return id === undefined ? 'unknown' : toKey({ id })
  }
  for (const columns of keys) {
    const values = columns.map((column) => [column, valueOf(column, item, definition, registry)] as const)
    if (values.every(([, value]) => value !== undefined)) return toKey(Object.fromEntries(values))
  }
  return undefined
}

const toKey = (values: ColumnValues): RecordKey => ({
  columns: Object.keys(values),
  values,
  text: JSON.stringify(values),
})

const valueOf = (
  column: string,
  { attributes, toOne }: ImportItem,
  definition: ResourceDefinition,
  registry: Registry,
): unknown => {
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    if (columnOf(name, attribute) !== column) continue
    const value = attributes.get(name)
    if (typeof value !== 'string' || value === '') return undefined
    // As the rule of customers stores it.
    return name === 'email' ? value.toLowerCase() : value
  }
  for (const [name, relationship] of Object.entries(definition.relationships)) {
    if (relationship.kind !== 'toOne' || foreignKeyOf(name, relationship) !== column) continue
    const linked = toOne.get(name)
    if (linked === undefined || linked === null) return undefined
    return linked.number ?? registry.ids.decode(idTypeOf(registry.require(relationship.target)), linked.id)
  }
  return undefined
}

/** Key → the record that has it, locked: one statement per set of columns. */
export const lockExisting = async (
  keys: readonly RecordKey[],
  { table }: ResourceDefinition,
  environmentId: number,
  run: RunStatement,
): Promise<ReadonlyMap<string, Row>> => {
  const found = new Map<string, Row>()
  for (const [, group] of Map.groupBy(keys, ({ columns }) => columns.join())) {
    const columns = group[0]?.columns ?? []
    const values = group.map((key) => key.values)
    for (const row of await run(lockAmong(table, environmentId, columns, values))) {
      found.set(toKey(Object.fromEntries(columns.map((column) => [column, row[column]]))).text, row)
    }
  }
  return found
}
