/** A list request → the members of the bitmap index that it lists, or undefined when sets cannot say which they are. */
import { restrictsRows } from '../../access/restrictions.ts'
import { shorten } from '../sql/filter-tree.ts'
import type { Build } from '../sql/relations.ts'
import type { PageRequest } from '../sql/select-page.ts'
import { visibleRows } from '../sql/visible-rows.ts'
import type { IndexedType, Members } from './indexed-types.ts'

export interface IndexedMembers {
  readonly members: Members
  /** Whether a row alone does not show that it is a member, as a SKU does not show whether it has a price. */
  readonly isDecidedByOtherRows: boolean
}

/**
 * The index knows environments, markets in scope, and one filter or address by owner. Everything else that narrows a
 * list (other filters, restrictions of a role, a sales channel's own orders) is decided row by row.
 */
export const indexedMembers = (request: PageRequest, build: Build): IndexedMembers | undefined => {
  const { definition, parent, filters } = request
  const { scope, registry } = build
  const type = registry.facts.indexed[definition.type]
  if (type === undefined || restrictsRows(definition, scope.restrictions, registry)) return undefined
  const visible = type.visible(scope)
  if (visible === undefined) return undefined
  const isNarrowed = parent !== undefined || filters.length > 0
  const members = isNarrowed ? membersOfOwners(visible, type, request, build) : visible
  if (members === undefined) return undefined
  return { members, isDecidedByOtherRows: !isOwnColumn(members, type) }
}

const isOwnColumn = (members: Members, { ownedBy }: IndexedType): boolean =>
  members.kind === 'all' || (members.kind === 'owned' && members.set === ownedBy?.set)

const membersOfOwners = (
  visible: Members,
  { ownedBy }: IndexedType,
  request: PageRequest,
  build: Build,
): Members | undefined => {
  if (ownedBy === undefined) return undefined
  const { relationship, set } = ownedBy
  const requested = requestedOwners(request, relationship, build)
  if (requested === undefined) return undefined
  if (visible.kind === 'all') return { kind: 'owned', set, owners: requested }
  if (visible.kind !== 'owned' || visible.set !== set) return undefined
  const owners = visible.owners.filter((owner) => requested.includes(owner))
  return { kind: 'owned', set, owners }
}

/** The owners whose rows alone a request lists: it has the address of one, or one filter by their ids. */
const requestedOwners = (
  { parent, filters }: PageRequest,
  relationship: string,
  build: Build,
): readonly number[] | undefined => {
  const [filter, ...more] = filters
  if (parent !== undefined) {
    const isOwner = filter === undefined && parent.relationship.inverse === relationship
    return isOwner ? [parent.number] : undefined
  }
  const [only, ...others] = filter?.tests ?? []
  if (only === undefined || others.length > 0 || more.length > 0) return undefined
  // Where the request does not see every owner, the rows decide.
  const { path, test } = shorten(only, visibleRows, build)
  const isOwner =
    path.steps.length === 0 && path.field.kind === 'toOneKey' && path.field.name === relationship
  if (!isOwner || test.kind !== 'compare' || test.comparison !== 'eq' || test.orNull) return undefined
  const numbers = test.values.filter((value) => typeof value === 'number')
  return test.quantifier === 'any' && numbers.length === test.values.length ? numbers : undefined
}
