/** May this caller do this to this type? Missing permission is 401 `unauthorized` (spec auth.md 9.1). */
import type { Caller, PermittedAction } from '@merx/access-token/caller'
import { salesChannelGrants } from '@merx/access-token/sales-channel-grants'
import type { ResourcePermission } from '@merx/access-token/sales-channel-permissions'
import { AppError } from '@merx/errors/app-error'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import type { Relationship } from '@merx/jsonapi/relationships'
import { isCustomer, isSalesChannel } from './caller-kinds.ts'
import { compileRestrictions } from './restrictions.ts'
import type { CallerRestrictions } from './restrictions.ts'

/** `related`: reached through a relationship of a resource that may itself be read. */
export type Access = Operation | 'related'

const ACTIONS: Readonly<Record<Access, PermittedAction>> = {
  list: 'read',
  retrieve: 'read',
  related: 'read',
  create: 'create',
  update: 'update',
  delete: 'destroy',
}

/** Whether the caller has the permission; which rows and fields it covers is in restrictions.ts. */
export const may = (caller: Caller, type: string, access: Access): boolean => {
  if (isSalesChannel(caller))
    return salesChannelGrants(type, isCustomer(caller)).some((permission) => grants(permission, access))
  const { role } = caller
  if (role === undefined) return false
  switch (role.kind) {
    case 'admin':
      return true
    case 'read_only':
      return ACTIONS[access] === 'read'
    case 'custom':
      return role.permissions.some(
        ({ subject, actions }) => subject === type && actions.includes(ACTIONS[access]),
      )
  }
}

/**
 * Whether the caller may go from a record of a type to its related ones. A guest knows what is read one by one by its id,
 * so it is not listed for them through what everybody sees, such as the orders of a store.
 */
export const mayFollow = (
  caller: Caller,
  from: ResourceDefinition,
  { kind }: Pick<Relationship, 'kind'>,
  to: ResourceDefinition,
): boolean => {
  if (kind !== 'toMany' || !isSalesChannel(caller) || isCustomer(caller)) return true
  const isSingle = ({ type }: ResourceDefinition): boolean =>
    may(caller, type, 'retrieve') && !may(caller, type, 'list')
  return !isSingle(to) || isSingle(from)
}

/** Throws AppError `unauthorized`. */
export const requirePermission = (caller: Caller, { type }: ResourceDefinition, access: Access): void => {
  if (!may(caller, type, access)) throw new AppError('unauthorized')
}

/**
 * For the organization and the credential of a token: every valid caller may read them, whatever its role permits (spec
 * auth.md 8). Restrictions of a custom role hold here too. Throws AppError `unauthorized` when they cannot be applied.
 */
export const requireOwnReadable = (
  { type }: ResourceDefinition,
  restrictions: CallerRestrictions | undefined,
  registry: Registry,
): void => {
  if (restrictions !== undefined && compileRestrictions(restrictions, registry).broken.has(type))
    throw new AppError('unauthorized')
}

const grants = (permission: ResourcePermission, access: Access): boolean => {
  switch (access) {
    case 'list':
      return permission.read === 'list'
    case 'retrieve':
      return permission.read === 'list' || permission.read === 'single'
    case 'related':
      return permission.read !== undefined
    case 'create':
    case 'update':
      return permission[access] === true
    case 'delete':
      return permission.destroy === true
  }
}
