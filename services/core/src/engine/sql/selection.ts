/** Definition → the columns to read: what its attributes, companions and to-one relationships are made from. */
import { isStored } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../registry.ts'
import { qualified } from './identifiers.ts'
import type { Build } from './relations.ts'
import { restrictedRows } from './restricted-rows.ts'

const cache = new WeakMap<ResourceDefinition, readonly string[]>()

/** Whether the restrictions of the caller's permission cover the row; only there when they restrict its type. */
export const COVERED_COLUMN = '_covered'

/** Which version of itself the row is; only there when it was read in order to be changed. */
export const ROW_VERSION_COLUMN = '_row_version'

/**
 * `t."id", t."environment_id", …`; values that are never shown (password hashes) are not read. Restrictions are
 * judged a second time, besides in the WHERE clause, for records.ts to look at.
 */
export const selection = (definition: ResourceDefinition, alias: string, build: Build): string => {
  const columns = columnsRead(definition, build.registry).map((column) => qualified(alias, column))
  const restricted = restrictedRows(definition, alias, ['all', 'read'], build)
  const covered =
    restricted.length === 0 ? [] : [`(${restricted.join(' AND ')}) IS TRUE AS ${COVERED_COLUMN}`]
  return [...columns, ...covered].join(', ')
}

/** The names of those columns. Rows of an abstract type bring the columns of all of its members. */
export const columnsRead = (definition: ResourceDefinition, registry: Registry): readonly string[] => {
  const known = cache.get(definition)
  if (known !== undefined) return known
  const members = definition.abstract?.members.map((type) => registry.require(type)) ?? []
  const typeColumn = definition.abstract?.typeColumn
  const columns = new Set(['id', 'environment_id', ...[definition, ...members].flatMap(ownColumns)])
  if (typeColumn !== undefined) columns.add(typeColumn)
  const list = [...columns]
  cache.set(definition, list)
  return list
}

const ownColumns = ({ attributes, relationships }: ResourceDefinition): readonly string[] => [
  ...Object.entries(attributes).flatMap(([name, attribute]) => {
    if (attribute.show === 'never') return []
    const currency = attribute.currencyColumn === undefined ? [] : [attribute.currencyColumn]
    return [
      ...(isStored(attribute) ? [columnOf(name, attribute)] : []),
      ...currency,
      ...(attribute.columns ?? []),
    ]
  }),
  ...Object.entries(relationships).flatMap(([name, relationship]) => {
    if (relationship.kind === 'polymorphicToOne') return Object.values(polymorphicKeyOf(name, relationship))
    return relationship.kind === 'toOne' && relationship.virtual === undefined
      ? [foreignKeyOf(name, relationship)]
      : []
  }),
]
