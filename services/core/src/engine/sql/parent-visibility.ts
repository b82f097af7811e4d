/**
 * A row that belongs to another record, such as its history or an attachment, is visible when that record is: a
 * narrowed caller must not read there what its scope and restrictions hide.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { restrictionsAt } from '../../access/restrictions.ts'
import type { ParentColumns } from '../area.ts'
import type { RowsOf } from './filter-tree.ts'
import { identifier, qualified } from './identifiers.ts'
import { rowsOfType } from './relations.ts'
import type { Build } from './relations.ts'

/** The extra conditions on rows of `definition`; none for a caller who sees all of the environment. */
export const parentVisibility = (
  definition: ResourceDefinition,
  alias: string,
  visibleRows: RowsOf,
  build: Build,
): readonly string[] => {
  const { parents } = build.registry.facts
  const columns = parents[definition.type]
  const { markets, restrictions, salesChannel } = build.scope
  const isNarrowed = markets !== undefined || restrictions !== undefined || salesChannel !== undefined
  if (columns === undefined || !isNarrowed) return []
  const owners = build.registry.definitions.filter(
    (owner) => isParent(owner, definition, build) && isSeenInPart(owner, columns, visibleRows, build),
  )
  if (owners.length === 0) return []
  const type = qualified(alias, columns.type)
  const others = build.params.add(
    owners.map((owner) => owner.type),
    'text[]',
  )
  const seen = owners
    .filter((owner) => !hidesFields(owner, columns, build))
    .map((owner) => {
      const own = `${alias}_owner`
      const conditions = [
        `${own}.id = ${qualified(alias, columns.number)}`,
        ...visibleRows(owner, own, build),
      ]
      return `(${type} = ${build.params.add(owner.type, 'text')} AND EXISTS (
        SELECT 1 FROM ${identifier(owner.table)} AS ${own} WHERE ${conditions.join(' AND ')}))`
    })
  return [`(${[`${type} <> ALL(${others})`, ...seen].join(' OR ')})`]
}

/** Rows belong to records of concrete types that belong to none themselves; only log entries are about those, too. */
const isParent = (owner: ResourceDefinition, { type }: ResourceDefinition, { registry }: Build): boolean => {
  if (owner.isSingleton || owner.abstract !== undefined) return false
  const { [owner.type]: its, [type]: own } = registry.facts.parents
  return its === undefined || (own?.isLog === true && its.isLog !== true)
}

const isSeenInPart = (
  owner: ResourceDefinition,
  columns: ParentColumns,
  visibleRows: RowsOf,
  build: Build,
): boolean => {
  const probe = { ...build, params: { ...build.params, add: () => 'NULL' } }
  const isWhole = visibleRows(owner, 'probe', probe).length === rowsOfType(owner, 'probe', probe).length
  return !isWhole || hidesFields(owner, columns, build)
}

const hidesFields = (
  owner: ResourceDefinition,
  { repeatsFields }: ParentColumns,
  { scope, registry }: Build,
): boolean =>
  repeatsFields === true &&
  restrictionsAt(owner, scope.restrictions, registry).some(({ fields }) => fields.read !== undefined)
