/** A role with what it permits, spelled out by resource type. */
import type { Permission, PermittedAction } from '@merx/access-token/caller'
import { salesChannelActions } from '@merx/access-token/sales-channel-grants'
import type { RoleReference } from '../clients/credential.ts'
import { RESOURCE_TYPES } from './resource-shapes.ts'

export interface Role extends RoleReference {
  readonly name: string
  /** Of custom roles; the other kinds permit by rule. */
  readonly permissions: readonly Permission[]
}

export interface RoleReader {
  findRole(organizationId: string, roleId: string): Promise<Role | undefined>
}

const EVERY_ACTION = ['create', 'read', 'update', 'destroy'] as const satisfies readonly PermittedAction[]

const everyTypeWith = (actions: readonly PermittedAction[]): readonly Permission[] =>
  RESOURCE_TYPES.map((subject) => ({ subject, actions }))

/** auth.md 9.1: admin permits everything, read_only every read, custom what its rows say. */
export const permissionsOf = ({ kind, permissions }: Role): readonly Permission[] => {
  switch (kind) {
    case 'admin':
      return everyTypeWith(EVERY_ACTION)
    case 'read_only':
      return everyTypeWith(['read'])
    case 'custom':
      return permissions
  }
}

/** auth.md 9.3 and 9.4, as core enforces them: what may be done with resources by their own addresses. */
export const permissionsOfSalesChannel = (isCustomer: boolean): readonly Permission[] =>
  RESOURCE_TYPES.flatMap((subject) => {
    const actions = salesChannelActions(subject, isCustomer)
    return actions.length === 0 ? [] : [{ subject, actions }]
  })
