/** Changes of a role: they reach the tokens that live, within a second. */
import type { Permission } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import { takeNextVersion } from '../store/access-version.ts'
import { appendAudit } from '../store/audit-store.ts'
import { requireRowId } from '../store/public-ids.ts'
import { describePermissions, permissionsFault, toPermissionRow } from './create-role.ts'
import { requireRole } from './find-records.ts'
import { nameFault, requireFaultless } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning.ts'
import { roleInclude, toRoleRecord, type RoleRecord } from './records.ts'

export interface RoleReference {
  readonly organizationId: string
  /** Id or name. */
  readonly role: string
}

export interface RoleChanges {
  readonly name?: string
  /** Exactly these from now on; custom roles only. */
  readonly permissions?: readonly Permission[]
}

/** @throws AppErrors validation_error; AppError record_not_found, record_not_unique */
export const updateRole = async (
  { organizationId, role: reference }: RoleReference,
  { name, permissions }: RoleChanges,
  deps: ProvisioningDeps,
): Promise<RoleRecord> => {
  const role = await requireRole(organizationId, reference, deps.database)
  requireFaultless({
    name: name === undefined ? undefined : nameFault(name),
    permissions: permissions === undefined ? undefined : permissionsFault({ kind: role.kind, permissions }),
  })
  const id = requireRowId('roles', role.id)
  const at = deps.clock.now()
  return deps.database.$transaction(async (transaction) => {
    const stateVersion = await takeNextVersion(transaction)
    if (name !== undefined) {
      const where = { organizationId: requireRowId('organizations', organizationId), name, id: { not: id } }
      if ((await transaction.role.count({ where })) > 0)
        throw new AppError('record_not_unique', { detail: `There is a role '${name}' already.` })
    }
    await transaction.role.update({
      where: { id },
      data: { stateVersion, ...(name === undefined ? {} : { name }) },
    })
    if (permissions !== undefined) {
      await transaction.permission.deleteMany({ where: { roleId: id } })
      await transaction.permission.createMany({
        data: permissions.map((permission) => ({ ...toPermissionRow(permission), roleId: id })),
      })
    }
    const row = await transaction.role.findUniqueOrThrow({ where: { id }, include: roleInclude })
    const details = {
      ...(name === undefined ? {} : { name }),
      ...(permissions === undefined ? {} : { permissions: describePermissions(permissions) }),
    }
    const subject = { type: 'roles', id: role.id }
    await appendAudit(
      transaction,
      { actor: deps.actor, action: 'role.update', subject, organizationId, details },
      at,
    )
    return toRoleRecord(row)
  })
}

/** Only a role nobody has. @throws AppError record_not_found, locked */
export const deleteRole = async (
  { organizationId, role: reference }: RoleReference,
  deps: ProvisioningDeps,
): Promise<RoleRecord> => {
  const role = await requireRole(organizationId, reference, deps.database)
  const id = requireRowId('roles', role.id)
  await deps.database.$transaction(async (transaction) => {
    const [credentials, users] = [
      await transaction.credential.count({ where: { roleId: id } }),
      await transaction.user.count({ where: { roleId: id } }),
    ]
    if (credentials + users > 0) {
      throw new AppError('locked', {
        detail: `The role '${role.name}' is that of ${credentials} credentials and ${users} users; give them another role first.`,
      })
    }
    await transaction.role.delete({ where: { id } })
    const subject = { type: 'roles', id: role.id }
    const details = { name: role.name }
    await appendAudit(
      transaction,
      { actor: deps.actor, action: 'role.delete', subject, organizationId, details },
      deps.clock.now(),
    )
  })
  return role
}
