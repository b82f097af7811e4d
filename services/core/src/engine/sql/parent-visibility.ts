/**
 * Rows that tell of another record, such as its history and its attachments, are seen when that record is seen: else a
 * narrowed caller would read there what its scope and restrictions hide.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { restrictionsAt } from '../../access/restrictions.ts'
import type { RowsOf } from './filter-tree.ts'
import { identifier, qualified } from './identifiers.ts'
import { rowsOfType } from './relations.ts'
import type { Build } from './relations.ts'

interface OwnerColumns {
  readonly type: string
  readonly number: string
  /** Whether the row repeats values of the record's fields. */
  readonly tellsFields?: true
}

const LOG = { type: 'resource_type', number: 'record_id' } as const

/** Types whose rows belong to a record of any type, and the columns that say which. */
const OWNERS: Readonly<Record<string, OwnerColumns>> = {
  attachments: { type: 'attachable_type', number: 'attachable_id' },
  event_stores: { ...LOG, tellsFields: true },
  events: LOG,
  versions: { ...LOG, tellsFields: true },
}

/** The logs; nothing is logged or attached to them. */
const isLog = ({ type }: ResourceDefinition): boolean => type !== 'attachments' && type in OWNERS

/** The extra conditions on rows of `definition`; none for a caller who sees all of the environment. */
export const ownersSeen = (
  definition: ResourceDefinition,
  alias: string,
  rowsSeen: RowsOf,
  build: Build,
): readonly string[] => {
  const columns = OWNERS[definition.type]
  const { markets, restrictions, salesChannel } = build.scope
  const isNarrowed = markets !== undefined || restrictions !== undefined || salesChannel !== undefined
  if (columns === undefined || !isNarrowed) return []
  const owners = build.registry.definitions.filter(
    (owner) => isOwner(owner, definition) && isSeenInPart(owner, columns, rowsSeen, build),
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
      const conditions = [`${own}.id = ${qualified(alias, columns.number)}`, ...rowsSeen(owner, own, build)]
      return `(${type} = ${build.params.add(owner.type, 'text')} AND EXISTS (
        SELECT 1 FROM ${identifier(owner.table)} AS ${own} WHERE ${conditions.join(' AND ')}))`
    })
  return [`(${[`${type} <> ALL(${others})`, ...seen].join(' OR ')})`]
}

/** Logs tell of concrete types, attachments too; attachments belong to what is neither. */
const isOwner = (owner: ResourceDefinition, { type }: ResourceDefinition): boolean =>
  !owner.isPlanned &&
  !owner.isSingleton &&
  owner.abstract === undefined &&
  !isLog(owner) &&
  owner.type !== type

const isSeenInPart = (
  owner: ResourceDefinition,
  columns: OwnerColumns,
  rowsSeen: RowsOf,
  build: Build,
): boolean => {
  const probe = { ...build, params: { ...build.params, add: () => 'NULL' } }
  const isWhole = rowsSeen(owner, 'probe', probe).length === rowsOfType(owner, 'probe', probe).length
  return !isWhole || hidesFields(owner, columns, build)
}

const hidesFields = (
  owner: ResourceDefinition,
  { tellsFields }: OwnerColumns,
  { scope, registry }: Build,
): boolean =>
  tellsFields === true &&
  restrictionsAt(owner, scope.restrictions, registry).some(({ fields }) => fields.read !== undefined)
