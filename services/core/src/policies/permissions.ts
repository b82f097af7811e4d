/** May this caller do this to this type? Missing permission is 401 `unauthorized` (spec auth.md 9.1). */
import type { Caller, PermittedAction } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { customerPermissions, guestPermissions } from './sales-channel-permissions.ts'
import type { ResourcePermission } from './sales-channel-permissions.ts'
import { isCustomer, isSalesChannel } from './scope-references.ts'

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

/** Whether the caller has the permission; rows are another matter. */
export const may = (caller: Caller, type: string, access: Access): boolean => {
  if (isSalesChannel(caller)) return salesChannelMay(caller, type, access)
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

/** Throws AppError `unauthorized`. */
export const requirePermission = (caller: Caller, { type }: ResourceDefinition, access: Access): void => {
  if (!may(caller, type, access)) throw new AppError('unauthorized')
}

const salesChannelMay = (caller: Caller, type: string, access: Access): boolean => {
  const tables = isCustomer(caller) ? [guestPermissions, customerPermissions] : [guestPermissions]
  return tables.some((table) => grants(table[type], access))
}

const grants = (permission: ResourcePermission | undefined, access: Access): boolean => {
  if (permission === undefined) return false
  switch (access) {
    case 'list':
      return permission.read === 'list'
    case 'retrieve':
      return permission.read === 'list' || permission.read === 'single'
    case 'related':
      return permission.read !== undefined
    case 'create':
      return permission.create === true
    case 'update':
      return permission.update === true
    case 'delete':
      return permission.delete === true
  }
}
