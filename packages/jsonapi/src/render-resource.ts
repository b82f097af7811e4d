/** A record → its resource object; key order id, type, links, attributes, relationships, meta (core-conventions.md 2). */
import { companionsOf } from './attributes.ts'
import type { Attribute, RenderContext, Row } from './attributes.ts'
import { columnOf } from './columns.ts'
import type { ResourceDefinition } from './define-resource.ts'
import { formatMoney, toUnits } from './money.ts'
import type { Linked, ResourceRecord } from './record.ts'

/** A resource identifier object (JSON:API 1.0). */
export interface ResourceIdentifier {
  readonly type: string
  readonly id: string
}

/** A resource object (JSON:API 1.0). */
export interface RenderedResource {
  id: string
  type: string
  links: { self: string }
  attributes: Record<string, unknown>
  relationships?: Record<string, { links?: { self: string; related: string }; data?: unknown }>
  meta: { mode: string; organization_id: string }
}

/** One key of `attributes` and how its value is read. */
interface Member {
  readonly name: string
  readonly attribute: Attribute
  readonly read: (record: ResourceRecord, context: RenderContext) => unknown
}

const compiled = new WeakMap<ResourceDefinition, readonly Member[]>()

/**
 * `names` limits attributes and relationships (a sparse fieldset); undefined returns all. `isSingle` says that the
 * document is about this one resource, which shows attributes that lists leave out.
 */
export const renderResource = (
  record: ResourceRecord,
  context: RenderContext,
  names: ReadonlySet<string> | undefined,
  isSingle: boolean,
): RenderedResource => {
  const self = linkTo(record, context)
  const attributes: Record<string, unknown> = {}
  for (const { name, attribute, read } of membersOf(record.definition)) {
    if (names !== undefined && !names.has(name)) continue
    if (attribute.show === 'single' && !isSingle) continue
    if (attribute.secret && !context.isConfidential) continue
    attributes[name] = read(record, context)
  }
  const relationships = renderRelationships(record, self, names)
  return {
    id: record.id,
    type: record.definition.type,
    links: { self },
    attributes,
    ...(relationships === undefined ? {} : { relationships }),
    meta: { mode: context.mode, organization_id: context.organizationId },
  }
}

/** The address of a resource; singletons have none of their own below their path. */
export const linkTo = (
  { definition, id }: ResourceRecord,
  { baseUrl, path = '/api' }: RenderContext,
): string => `${baseUrl}${path}/${definition.path}${definition.isSingleton ? '' : `/${id}`}`

/** Type and id, in the order of the JSON:API examples. */
export const identifierOf = ({ definition, id }: ResourceRecord): ResourceIdentifier => ({
  type: definition.type,
  id,
})

/** Resource linkage of a relationship: null, one identifier, or a list of them. */
export const renderLinkage = (linked: Linked): unknown => {
  if (linked === null) return null
  return isMany(linked) ? linked.map(identifierOf) : identifierOf(linked)
}

/** Whether linked records are those of a to-many relationship. */
export const isMany = (linked: Linked): linked is readonly ResourceRecord[] => Array.isArray(linked)

const renderRelationships = (
  { definition, linked }: ResourceRecord,
  self: string,
  names: ReadonlySet<string> | undefined,
): RenderedResource['relationships'] => {
  const relationships: NonNullable<RenderedResource['relationships']> = {}
  let isEmpty = true
  for (const name in definition.relationships) {
    if (names !== undefined && !names.has(name)) continue
    const target = linked.get(name)
    const hasLinks = definition.relationships[name]?.endpoint !== false
    if (!hasLinks && target === undefined) continue
    isEmpty = false
    relationships[name] = {
      ...(hasLinks ? { links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` } } : {}),
      ...(target === undefined ? {} : { data: renderLinkage(target) }),
    }
  }
  return isEmpty ? undefined : relationships
}

const membersOf = (definition: ResourceDefinition): readonly Member[] => {
  const known = compiled.get(definition)
  if (known !== undefined) return known
  const members = Object.entries(definition.attributes).flatMap(([name, attribute]) =>
    toMembers(name, attribute),
  )
  compiled.set(definition, members)
  return members
}

const toMembers = (name: string, attribute: Attribute): readonly Member[] => {
  if (attribute.show === 'never') return []
  if (attribute.kind === 'cents') return toAmountMembers(name, attribute)
  return [{ name, attribute, read: readerOf(name, attribute) }]
}

const toAmountMembers = (name: string, attribute: Attribute): readonly Member[] => {
  const { float, formatted } = companionsOf(name)
  const column = columnOf(name, attribute)
  const currencyColumn = attribute.currencyColumn ?? 'currency_code'
  const companion =
    (present: (amountCents: number, currency: string) => unknown) =>
    ({ row }: ResourceRecord): unknown => {
      const amount = row[column]
      const currency = row[currencyColumn]
      return typeof amount === 'number' && typeof currency === 'string' ? present(amount, currency) : null
    }
  return [
    { name, attribute, read: ({ row }) => row[column] ?? null },
    { name: float, attribute, read: companion(toUnits) },
    { name: formatted, attribute, read: companion(formatMoney) },
  ]
}

const readerOf = (name: string, attribute: Attribute): Member['read'] => {
  const { compute, kind } = attribute
  if (compute !== undefined) return ({ row, id }, context) => compute(row, context, id) ?? null
  if (kind === 'loaded') return ({ loaded }) => loaded?.get(name) ?? null
  const column = columnOf(name, attribute)
  if (attribute.sealed === true) return ({ row }, { openSecret }) => openSecret?.(row[column]) ?? null
  if (kind === 'instant') return ({ row }) => toWireInstant(row, column)
  if (kind === 'float') return ({ row }) => toWireNumber(row[column])
  if (attribute.served === true) return ({ row }, { baseUrl }) => withAddress(row[column] ?? null, baseUrl)
  return ({ row }) => row[column] ?? null
}

const withAddress = (value: unknown, baseUrl: string): unknown =>
  typeof value === 'string' && value.startsWith('/') ? baseUrl + value : value

/** Three decimals and `Z`: what Date gives. */
const toWireInstant = (row: Row, column: string): string | null => {
  const value = row[column]
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  throw new TypeError(`column ${column} holds no instant`)
}

/** numeric columns arrive as text, so that nothing rounds before this point. */
const toWireNumber = (value: unknown): number | null => {
  if (value === null || value === undefined) return null
  const number = Number(value)
  if (Number.isFinite(number)) return number
  throw new TypeError('a float column holds no number')
}
