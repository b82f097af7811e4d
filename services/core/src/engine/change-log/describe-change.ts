/** A change of a row → its version and the names of its events. Secrets and values that are never shown are left out. */
import { isDeepStrictEqual } from 'node:util'
import { isStored } from '@merx/jsonapi/attributes'
import type { Attribute, Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf, idTypeOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Relationship } from '@merx/jsonapi/relationships'
import type { Registry } from '../registry.ts'
import { requireListed } from './topics.ts'

/** A row before and after a write. */
export interface RowChange {
  readonly definition: ResourceDefinition
  readonly number: number
  /** Undefined when the row is new. */
  readonly before: Row | undefined
  /** Undefined when the row is deleted. */
  readonly after: Row | undefined
  /** Topics of the events that it emits, in the order in which they happened. */
  readonly topics?: readonly string[]
}

/** In the order of the changes. Ids of many rows are computed together. */
export const describeChanges = (
  changes: readonly RowChange[],
  registry: Registry,
): readonly DescribedChange[] => {
  if (changes.length > 1) prepareIds(changes, registry)
  return changes.map((change) => describeChange(change, registry))
}

/** The ids of the rows and of what new ones are linked to; those of what changed are few. */
const prepareIds = (changes: readonly RowChange[], registry: Registry): void => {
  for (const [definition, rows] of Map.groupBy(changes, (change) => change.definition)) {
    registry.ids.prepare(
      idTypeOf(definition),
      rows.map(({ number }) => number),
    )
    for (const [name, relationship] of Object.entries(definition.relationships)) {
      if (relationship.kind !== 'toOne' || relationship.write === 'never') continue
      const column = foreignKeyOf(name, relationship)
      const numbers = rows.map(({ before, after }) => (before === undefined ? after?.[column] : undefined))
      registry.ids.prepare(
        idTypeOf(registry.require(relationship.target)),
        numbers.filter((number) => typeof number === 'number'),
      )
    }
  }
}

/** A row of versions, and the names of its events. */
export interface DescribedChange {
  readonly resource_type: string
  readonly record_id: number
  readonly resource_id: string
  readonly event: 'create' | 'update' | 'destroy'
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>
  readonly events: readonly string[]
}

/** An update that changed nothing leaves no version. */
export const isWorthAVersion = ({ event, changes }: DescribedChange): boolean => {
  if (event !== 'update') return true
  for (const _name in changes) return true
  return false
}

const describeChange = (change: RowChange, registry: Registry): DescribedChange => {
  const { definition, number, before, after, topics = [] } = change
  const changes = changesBetween(definition, before, after, registry)
  return {
    resource_type: definition.type,
    record_id: number,
    resource_id: registry.ids.encode(idTypeOf(definition), number),
    event: before === undefined ? 'create' : after === undefined ? 'destroy' : 'update',
    changes,
    events: requireListed(topics, definition, registry),
  }
}

/** Attribute → value before and after, of those that differ; to-one relationships under `<name>_id`. */
const changesBetween = (
  definition: ResourceDefinition,
  before: Row | undefined,
  after: Row | undefined,
  registry: Registry,
): DescribedChange['changes'] => {
  const changes: Record<string, readonly [unknown, unknown]> = {}
  for (const { name, read } of loggedFields(definition)) {
    const from = before === undefined ? null : (read(before, registry) ?? null)
    const to = after === undefined ? null : (read(after, registry) ?? null)
    if (from !== to && !isDeepStrictEqual(from, to)) changes[name] = [from, to]
  }
  return changes
}

/** A field of a row that the log has, and how it is read. */
interface LoggedField {
  readonly name: string
  readonly read: (row: Row, registry: Registry) => unknown
  /** Where the value of an attribute is stored. */
  readonly column?: string
  readonly kind?: Attribute['kind']
}

export interface GivenField extends LoggedField {
  readonly column: string
}

/** Logged attributes of a new row that get their value, if any, from the database. */
export const givenFields = (definition: ResourceDefinition, values: Row): readonly GivenField[] =>
  loggedFields(definition).flatMap((field) => {
    const { column } = field
    return column === undefined || column in values ? [] : [{ ...field, column }]
  })

const fields = new WeakMap<ResourceDefinition, readonly LoggedField[]>()

/** In the order of the definition. */
const loggedFields = (definition: ResourceDefinition): readonly LoggedField[] => {
  const known = fields.get(definition)
  if (known !== undefined) return known
  const { attributes, relationships } = definition
  const list = [
    ...Object.entries(attributes).flatMap(([name, attribute]) => attributeField(name, attribute)),
    ...Object.entries(relationships).flatMap(([name, relationship]) =>
      relationshipFields(name, relationship),
    ),
  ]
  fields.set(definition, list)
  return list
}

const UNLOGGED = ['created_at', 'updated_at']

const attributeField = (name: string, attribute: Attribute): readonly LoggedField[] => {
  const isHidden = attribute.show === 'never' || attribute.secret
  if (!isStored(attribute) || isHidden || UNLOGGED.includes(name)) return []
  const column = columnOf(name, attribute)
  const { kind } = attribute
  return [{ name, column, kind, read: (row) => (kind === 'float' ? toNumber(row[column]) : row[column]) }]
}

/** numeric columns arrive as text. */
const toNumber = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value)

/** Only what somebody sent can have changed; generated and virtual ones follow from others. */
const relationshipFields = (name: string, relationship: Relationship): readonly LoggedField[] => {
  if (relationship.kind === 'toMany' || relationship.write === 'never') return []
  if (relationship.kind === 'toOne') {
    const column = foreignKeyOf(name, relationship)
    const { target } = relationship
    const read: LoggedField['read'] = (row, registry) => toPublicId(target, row[column], registry)
    return [{ name: `${name}_id`, read }]
  }
  const key = polymorphicKeyOf(name, relationship)
  const typeOf = (row: Row): unknown => row[key.type]
  return [
    { name: `${name}_type`, read: typeOf },
    {
      name: `${name}_id`,
      read: (row, registry) =>
        relationship.targets.includes(String(typeOf(row)))
          ? toPublicId(String(typeOf(row)), row[key.id], registry)
          : null,
    },
  ]
}

const toPublicId = (type: string, number: unknown, registry: Registry): string | null =>
  typeof number === 'number' ? registry.ids.encode(idTypeOf(registry.require(type)), number) : null
