/**
 * One item of an import → what is to be written, before anything is looked up. Keys are attributes, triggers,
 * `<relationship>_id`, `<relationship>_ids` and `<relationship>.<attribute>` (one that is unique, such as
 * `price_list.code`). What an export included in place of an id names its record by such an attribute, unless another key does. What
 * it holds besides is left out with a warning, so that its file can be imported again.
 */
import { companionsOf } from '@merx/jsonapi/attributes'
import type { Attribute } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Relationship } from '@merx/jsonapi/relationships'
import { valueOfText } from '@merx/jsonapi/value-of-text'
import type { Registry } from '../../engine/registry.ts'
import type { ImportItem, Item, NamedTargets } from './import-item.ts'
import { includedTargets } from './included-targets.ts'
import { readCell, readJson } from './read-cell.ts'

/** Items nested in one item. */
const CHILDREN_MAX = 500

/** A link to one of several types comes as two members, in either order. */
interface LinkHalves {
  readonly type?: unknown
  readonly id?: unknown
}

interface Reading {
  readonly definition: ResourceDefinition
  readonly registry: Registry
  readonly isText: boolean
  readonly children: readonly string[]
  /** Relationship of several types → what was sent of its target. */
  readonly halves: Map<string, LinkHalves>
  readonly included: NamedTargets[]
  readonly into: ImportItem & {
    id: string | undefined
    readonly named: NamedTargets[]
    readonly errors: Record<string, readonly string[]>
    readonly warnings: Record<string, readonly string[]>
  }
}

export interface ReadOptions {
  /** Every value is a text, as in CSV, and an empty one is none. */
  readonly isText: boolean
  /** To-many relationships whose items may be nested. */
  readonly children?: readonly string[]
}

/** Without a prototype: a key of an item may be called `__proto__`. */
const byKey = (): Record<string, readonly string[]> =>
  Object.create(null) as Record<string, readonly string[]>

export const readItem = (
  item: Item,
  definition: ResourceDefinition,
  registry: Registry,
  { isText, children = [] }: ReadOptions,
): ImportItem => {
  const into: Reading['into'] = {
    id: undefined,
    attributes: new Map(),
    triggers: new Map(),
    toOne: new Map(),
    toMany: new Map(),
    named: [],
    nested: new Map(),
    errors: byKey(),
    warnings: byKey(),
  }
  const halves = new Map<string, LinkHalves>()
  const reading: Reading = { definition, registry, isText, children, halves, included: [], into }
  for (const [key, value] of Object.entries(item)) {
    if (!(isText && value === '')) readMember(key, value, reading)
  }
  joinHalves(reading)
  into.named.push(...reading.included.filter(({ relationship }) => !isLinked(relationship, into)))
  return into
}

const isLinked = (name: string, { toOne, toMany, named }: ImportItem): boolean =>
  toOne.has(name) || toMany.has(name) || named.some(({ relationship }) => relationship === name)

/** Some types have the type of the target as an attribute as well. Null, as in an export, is no link. */
const joinHalves = ({ definition, halves, into }: Reading): void => {
  for (const [name, sent] of halves) {
    const relationship = definition.relationships[name]
    if (relationship?.kind !== 'polymorphicToOne') continue
    const { id = null, type = into.attributes.get(`${name}_type`) ?? null } = sent
    if (id === null && type === null) into.toOne.set(name, null)
    else if (typeof type !== 'string' || !relationship.targets.includes(type))
      violate(into, `${name}_type`, `must be one of ${relationship.targets.join(', ')}`)
    else if (typeof id === 'string') into.toOne.set(name, { type, id })
    // an attribute stands by itself: the type of what has no record
    else if (id !== null || 'type' in sent) violate(into, `${name}_id`, 'must be the id of a resource')
  }
}

const readMember = (key: string, value: unknown, reading: Reading): void => {
  const { definition, into } = reading
  if (key === 'id') readId(value, reading)
  else if (key === 'type') checkType(value, reading)
  else if (Object.hasOwn(definition.attributes, key)) {
    const attribute = definition.attributes[key]
    if (attribute !== undefined) readAttribute(key, value, attribute, reading)
  } else if (isCompanion(key, definition)) warn(into, key)
  else readRelationship(key, value, reading)
}

const readId = (value: unknown, { into }: Reading): void => {
  if (typeof value === 'string') into.id = value
  else if (value !== null) violate(into, 'id', 'must be a string')
}

const checkType = (value: unknown, { definition, into }: Reading): void => {
  if (value !== definition.type) violate(into, 'type', `must be ${definition.type}`)
}

const readAttribute = (key: string, value: unknown, attribute: Attribute, reading: Reading): void => {
  const { into, isText } = reading
  if (attribute.write === 'never' && attribute.imported !== true) {
    warn(into, key)
    return
  }
  const read =
    isText && typeof value === 'string' ? readCell(value, attribute) : valueOfText(value, attribute)
  if (attribute.kind !== 'trigger') into.attributes.set(key, read)
  // tick marks such as `_archive: 1` count
  else if (read !== false && read !== null && read !== 0) {
    into.triggers.set(key, read === 1 && attribute.carries === 'boolean' ? true : read)
  }
}

const isCompanion = (key: string, { attributes }: ResourceDefinition): boolean =>
  Object.entries(attributes).some(
    ([name, { kind }]) => kind === 'cents' && Object.values(companionsOf(name)).includes(key),
  )

const readRelationship = (key: string, value: unknown, reading: Reading): void => {
  const { definition, into } = reading
  if (Object.hasOwn(definition.relationships, key)) {
    if (reading.children.includes(key)) readNested(key, value, into)
    else readIncluded(key, value, reading)
    return
  }
  const [, name = '', suffix = ''] = /^(\w+?)(_ids?|_type|\.\w+)$/.exec(key) ?? []
  const relationship = Object.hasOwn(definition.relationships, name)
    ? definition.relationships[name]
    : undefined
  if (relationship === undefined) {
    violate(into, key, `is no attribute or relationship of ${definition.type}`)
  } else if (relationship.write === 'never') warn(into, key)
  else if (suffix.startsWith('.') && suffix !== '.id') {
    readNamed(key, name, suffix.slice(1), value, relationship, reading)
  } else if (relationship.kind === 'toMany') readMany(key, name, value, relationship.target, reading)
  else readOne(key, name, suffix, value, relationship, reading)
}

const readIncluded = (name: string, value: unknown, reading: Reading): void => {
  const { definition, registry, isText, included, into } = reading
  const relationship = definition.relationships[name]
  if (relationship === undefined || relationship.write === 'never') {
    warn(into, name)
    return
  }
  const sent = isText && typeof value === 'string' ? readJson(value) : value
  const found =
    relationship.kind === 'polymorphicToOne'
      ? undefined
      : includedTargets(name, registry.require(relationship.target), sent)
  if (found !== undefined) included.push(found)
  else into.warnings[name] = ['has nothing unique to find its record by, and was left out']
}

const readNested = (key: string, value: unknown, into: Reading['into']): void => {
  const isList =
    Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  if (!isList) violate(into, key, 'must be a list of objects')
  else if (value.length > CHILDREN_MAX)
    violate(into, key, `must be less than or equal to ${CHILDREN_MAX} items`)
  else into.nested.set(key, value as readonly Item[])
}

const readOne = (
  key: string,
  name: string,
  suffix: string,
  value: unknown,
  relationship: Exclude<Relationship, { readonly kind: 'toMany' }>,
  { into, registry, halves }: Reading,
): void => {
  if (relationship.kind === 'polymorphicToOne') {
    halves.set(name, { ...halves.get(name), [suffix === '_type' ? 'type' : 'id']: value })
    return
  }
  if (value === null) into.toOne.set(name, null)
  else if (typeof value === 'string')
    into.toOne.set(name, { type: registry.require(relationship.target).type, id: value })
  else violate(into, key, 'must be the id of a resource')
}

const readMany = (key: string, name: string, value: unknown, target: string, { into }: Reading): void => {
  const ids = toTexts(value)
  if (ids === undefined) violate(into, key, 'must be a list of ids, or a text with commas between them')
  else
    into.toMany.set(
      name,
      ids.map((id) => ({ type: target, id })),
    )
}

const readNamed = (
  key: string,
  name: string,
  attribute: string,
  value: unknown,
  relationship: Relationship,
  { into, registry }: Reading,
): void => {
  const target = relationship.kind === 'polymorphicToOne' ? undefined : registry.require(relationship.target)
  const isUnique = target !== undefined && target.attributes[attribute]?.unique === true
  const values = toTexts(value)
  if (!isUnique) violate(into, key, `"${attribute}" does not tell one resource from another`)
  else if (values === undefined) violate(into, key, 'must be a text')
  else into.named.push({ relationship: name, target, attribute, values })
}

const toTexts = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return value.split(',').map((part) => part.trim())
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined
}

const violate = (into: Reading['into'], key: string, message: string): void => {
  into.errors[key.slice(0, 100)] = [message]
}

const warn = (into: Reading['into'], key: string): void => {
  into.warnings[key] = ['is read-only and was left out']
}
