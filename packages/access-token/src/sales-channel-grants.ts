/** The tables of sales channels → what one token may do with one type. */
import type { PermittedAction } from './caller.ts'
import { customerPermissions, guestPermissions } from './sales-channel-permissions.ts'
import type { ResourcePermission } from './sales-channel-permissions.ts'

/** The rows of the tables about a type, the customer's first. */
export const salesChannelGrants = (type: string, isCustomer: boolean): readonly ResourcePermission[] =>
  (isCustomer ? [customerPermissions, guestPermissions] : [guestPermissions]).flatMap((table) =>
    Object.hasOwn(table, type) ? (table[type] ?? []) : [],
  )

/** What may be done with resources of the type by their own address, in the words of a role. */
export const salesChannelActions = (type: string, isCustomer: boolean): readonly PermittedAction[] => {
  const grants = salesChannelGrants(type, isCustomer)
  const actions = ['create', 'read', 'update', 'destroy'] as const
  return actions.filter((action) => grants.some((grant) => grantsAction(grant, action)))
}

/**
 * Which rows an action may touch. Undefined when there is no condition; where both tables grant the action, the
 * customer's conditions count.
 */
export const salesChannelRows = (
  type: string,
  isCustomer: boolean,
): NonNullable<ResourcePermission['rows']> => {
  const grants = salesChannelGrants(type, isCustomer)
  const conditions = (['create', 'read', 'update', 'destroy'] as const).flatMap((action) => {
    const granting = grants.find((grant) => grantsAction(grant, action))
    const where = { ...granting?.rows?.all, ...granting?.rows?.[action] }
    return Object.keys(where).length === 0 ? [] : [[action, where] as const]
  })
  return Object.fromEntries(conditions)
}

/** All fields that a read shows. Undefined when it shows everything; where both tables grant reads, the customer's counts. */
export const salesChannelFields = (type: string, isCustomer: boolean): ResourcePermission['fields'] =>
  salesChannelGrants(type, isCustomer).find(({ read }) => read !== undefined)?.fields

const grantsAction = (grant: ResourcePermission, action: PermittedAction): boolean =>
  action === 'read' ? grant.read === 'list' || grant.read === 'single' : grant[action] === true
