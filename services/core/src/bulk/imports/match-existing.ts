/** Items of an import → the records they update: those with the id they give, else with the same key. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Attribute } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf, idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import type { ColumnValues } from '../../engine/sql/column-values.ts'
import { identifier } from '../../engine/sql/identifiers.ts'
import { lockAmong } from '../../engine/sql/select-rows.ts'
import type { Messages } from '../../engine/write/error-messages.ts'
import type { ImportItem } from './import-item.ts'
import type { Importable, NonUniqueKeys } from './importable.ts'

/** What tells a record from others; two items with the same key mean the same record. */
export interface RecordKey {
  readonly columns: readonly string[]
  /** Column by column. */
  readonly values: readonly unknown[]
  readonly text: string
}

const BY_NUMBER = ['id']

/** Undefined: the item has no key, so it is a new record. An id that is none gives `unknown`. */
export const keyOf = (
  item: ImportItem,
  definition: ResourceDefinition,
  { keys }: Importable,
  registry: Registry,
): RecordKey | 'unknown' | undefined => {
  if (item.id !== undefined) {
    const id = registry.ids.decode(idTypeOf(definition), item.id)
    return id === undefined ? 'unknown' : toKey(BY_NUMBER, [id])
  }
  for (const columns of keys) {
    const values = columns.map((column) => readerOf(column, definition)(item, registry))
    if (values.every((value) => value !== undefined)) return toKey(columns, values)
  }
  return undefined
}

const toKey = (columns: readonly string[], values: readonly unknown[]): RecordKey => ({
  columns,
  values,
  text: JSON.stringify([columns, values]),
})

type ReadValue = (item: ImportItem, registry: Registry) => unknown

const readers = new WeakMap<ResourceDefinition, Map<string, ReadValue>>()

/** Which member of an item is stored in the column is found once, not for each item. */
const readerOf = (column: string, definition: ResourceDefinition): ReadValue => {
  const known = readers.get(definition) ?? new Map<string, ReadValue>()
  readers.set(definition, known)
  const reader = known.get(column) ?? createReader(column, definition)
  known.set(column, reader)
  return reader
}

const createReader = (column: string, { attributes, relationships }: ResourceDefinition): ReadValue => {
  for (const [name, attribute] of Object.entries(attributes)) {
    if (columnOf(name, attribute) === column) return (item) => readText(name, attribute, item)
  }
  for (const [name, relationship] of Object.entries(relationships)) {
    if (relationship.kind === 'toOne' && foreignKeyOf(name, relationship) === column)
      return (item, registry) => readTarget(name, relationship.target, item, registry)
  }
  return () => undefined
}

/** In the form in which it is stored. */
const readText = (name: string, attribute: Attribute, { attributes }: ImportItem): string | undefined => {
  const value = attributes.get(name)
  if (typeof value !== 'string' || value === '') return undefined
  return attribute.normalize?.(value) ?? value
}

const readTarget = (
  name: string,
  target: string,
  { toOne }: ImportItem,
  registry: Registry,
): number | undefined => {
  const linked = toOne.get(name)
  if (linked === undefined || linked === null) return undefined
  return linked.number ?? registry.ids.decode(idTypeOf(registry.require(target)), linked.id)
}

/** Key → the records that have it, locked: one statement per set of columns. */
export const lockExisting = async (
  keys: readonly RecordKey[],
  { table }: ResourceDefinition,
  environmentId: number,
  run: RunStatement,
): Promise<ReadonlyMap<string, readonly Row[]>> => {
  const found: Row[] = []
  const texts: string[] = []
  for (const [columns, group] of Map.groupBy(keys, (key) => key.columns)) {
    const values = group.map((key): ColumnValues =>
      Object.fromEntries(columns.map((column, at) => [column, key.values[at]])),
    )
    for (const row of await run(lockAmong(table, environmentId, columns, values))) {
      const { text } = toKey(
        columns,
        columns.map((column) => row[column]),
      )
      found.push(row)
      texts.push(text)
    }
  }
  return Map.groupBy(found, (_row, at) => texts[at] ?? '')
}

/**
 * Locks what owns the records of non-unique natural keys, before any is looked for: two imports do not both miss one, and writers of a
 * record lock its owner first, too. Those of a whole step at once and in the order of their numbers, so that two who want
 * the same do not wait for each other.
 */
export const lockOwners = async (
  items: readonly ImportItem[],
  definition: ResourceDefinition,
  { column, table }: NonUniqueKeys['owner'],
  registry: Registry,
  environmentId: number,
  run: RunStatement,
): Promise<void> => {
  const ownerOf = readerOf(column, definition)
  const idType = idTypeOf(definition)
  const owners = items.flatMap((item) => ownerOf(item, registry) ?? [])
  const records = items.flatMap(({ id }) => (id === undefined ? [] : (registry.ids.decode(idType, id) ?? [])))
  if (owners.length + records.length === 0) return
  const text = `SELECT FROM ${identifier(table)} WHERE environment_id = $1 AND id = ANY(
      $2::bigint[] || ARRAY(SELECT ${identifier(column)} FROM ${identifier(definition.table)}
        WHERE environment_id = $1 AND id = ANY($3::bigint[])))
    ORDER BY id FOR NO KEY UPDATE`
  await run({ text, values: [environmentId, owners, records] })
}

export interface Match {
  /** Undefined of a new record. */
  readonly before: Row | undefined
  readonly errors: Messages
  readonly warnings: Messages
}

/** Which of the records with its key an item updates. */
export const matchOf = (
  item: ImportItem,
  key: RecordKey | 'unknown' | undefined,
  existing: ReadonlyMap<string, readonly Row[]>,
  { type, nonUnique }: Importable,
  registry: Registry,
): Match => {
  const records = typeof key === 'object' ? (existing.get(key.text) ?? []) : []
  const name = typeof key === 'object' && key.columns !== BY_NUMBER ? key.columns.at(-1) : undefined
  if (nonUnique === undefined || name === undefined) return { before: records[0], errors: {}, warnings: {} }
  const [before, ...more] = records.filter((record) => nonUnique.isSame(item, record, registry))
  if (more.length > 0) {
    const message = `is that of several ${type}; give the id of the one that is meant`
    return { before, errors: { [name]: [message] }, warnings: {} }
  }
  if (before !== undefined || records.length === 0) return { before, errors: {}, warnings: {} }
  const message = `is that of ${type} which are something else, so that another was created`
  return { before, errors: {}, warnings: { [name]: [message] } }
}
