/** Changes of a role and of its permissions: they reach the tokens that live, within a second. */
import type { Permission } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import { normalizeName } from '@merx/validation/normalize'
import { takeNextVersion } from '../store/access-version.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { requireRowId } from '../store/public-ids.ts'
import { act, readerOf } from './act.ts'
import { roleNameViolation, roleNameTaken } from './create-role.ts'
import { requireRoleById } from './find-records.ts'
import { requireNoViolations } from './input-rules.ts'
import { noteColumns, noteDetails, type Notes } from './notes.ts'
import { describePermissions, permissionsViolation, replacePermissions } from './permission-rows.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import { roleInclude, toRoleRecord, type RoleRecord } from './records.ts'

export interface RoleReference {
  readonly organizationId: string
  readonly roleId: string
}

export interface RoleChanges extends Notes {
  readonly name?: string
  /** Exactly these from now on; custom roles only. */
  readonly permissions?: readonly Permission[]
}

const requireFreeName = async (
  organizationId: string,
  { id, name }: { id: bigint; name: string },
  transaction: DatabaseTransaction,
): Promise<void> => {
  const where = { organizationId: requireRowId('organizations', organizationId), name, id: { not: id } }
  if ((await transaction.role.count({ where })) > 0) throw roleNameTaken(name)
}

/** @throws AppErrors validation_error; AppError record_not_found, record_not_unique */
export const updateRole = async (
  { organizationId, roleId }: RoleReference,
  changes: RoleChanges,
  deps: ProvisioningDeps,
): Promise<RoleRecord> => {
  const { permissions } = changes
  const name = changes.name === undefined ? undefined : normalizeName(changes.name)
  const role = await requireRoleById(organizationId, roleId, readerOf(deps))
  requireNoViolations({
    name: name === undefined ? undefined : roleNameViolation(name),
    permissions:
      permissions === undefined ? undefined : permissionsViolation({ kind: role.kind, permissions }),
  })
  const id = requireRowId('roles', role.id)
  return act(organizationId, deps, async (transaction, at) => {
    const stateVersion = await takeNextVersion(transaction)
    if (name !== undefined) await requireFreeName(organizationId, { id, name }, transaction)
    const { count } = await transaction.role.updateMany({
      where: { id },
      data: { stateVersion, updatedAt: at, ...(name === undefined ? {} : { name }), ...noteColumns(changes) },
    })
    if (count === 0) throw new AppError('record_not_found', { detail: `There is no role '${roleId}'.` })
    if (permissions !== undefined) await replacePermissions(id, permissions, at, transaction)
    const row = await transaction.role.findUniqueOrThrow({ where: { id }, include: roleInclude })
    const details = {
      ...(name === undefined ? {} : { name }),
      ...(permissions === undefined ? {} : { permissions: describePermissions(permissions) }),
      ...noteDetails(changes),
    }
    const subject = { type: 'roles', id: role.id }
    const event = { actor: deps.actor, action: 'role.update', subject, organizationId, details } as const
    await appendAudit(transaction, event, at)
    return toRoleRecord(row)
  })
}

/** Only a role nobody has. @throws AppError record_not_found, locked */
export const deleteRole = async (
  { organizationId, roleId }: RoleReference,
  deps: ProvisioningDeps,
): Promise<RoleRecord> => {
  const role = await requireRoleById(organizationId, roleId, readerOf(deps))
  const id = requireRowId('roles', role.id)
  await act(organizationId, deps, async (transaction, at) => {
    // Nobody is given the role from here on: that takes a share lock on its row.
    await transaction.$executeRaw`SELECT 1 FROM roles WHERE id = ${id} FOR UPDATE`
    const credentials = await transaction.credential.count({ where: { roleId: id } })
    const users = await transaction.user.count({ where: { roleId: id } })
    if (credentials + users > 0) {
      throw new AppError('locked', {
        detail: `The role '${role.name}' is that of ${credentials} credentials and ${users} users; give them another role first.`,
      })
    }
    const { count } = await transaction.role.deleteMany({ where: { id } })
    if (count === 0) throw new AppError('record_not_found', { detail: `There is no role '${roleId}'.` })
    const subject = { type: 'roles', id: role.id }
    const details = { name: role.name }
    const event = { actor: deps.actor, action: 'role.delete', subject, organizationId, details } as const
    await appendAudit(transaction, event, at)
  })
  return role
}
