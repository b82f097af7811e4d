/** One permission of a custom role at a time: the role changes with it, for the tokens that live too. */
import type { Permission, PermittedAction } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import { toPermission } from '../store/access-state-store.ts'
import { takeNextVersion } from '../store/access-version.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { fromPublicId, requireRowId, toPublicId } from '../store/public-ids.ts'
import { act } from './act.ts'
import { requireNoViolations } from './input-rules.ts'
import { noteColumns, type Notes } from './notes.ts'
import { describePermissions, permissionOfRoleViolations, toPermissionRow } from './permission-rows.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import { roleInclude } from './records.ts'

export interface PermissionReference {
  readonly organizationId: string
  readonly permissionId: string
}

export interface PermissionInput extends Permission, Notes {
  readonly organizationId: string
  readonly roleId: string
}

export interface PermissionChanges extends Notes {
  /** What is not named stays as it is. */
  readonly allowed?: Readonly<Partial<Record<PermittedAction, boolean>>>
  readonly restrictions?: Readonly<Record<string, unknown>>
}

const ACTIONS = ['create', 'read', 'update', 'destroy'] as const satisfies readonly PermittedAction[]

const unknown = (id: string): AppError =>
  new AppError('record_not_found', { detail: `There is no permission '${id}' in this organization.` })

/** The role with its permissions, which nobody else changes until the transaction ends. */
const openRole = async (
  organizationId: string,
  roleId: bigint,
  transaction: DatabaseTransaction,
  at: Date,
) => {
  const stateVersion = await takeNextVersion(transaction)
  const { count } = await transaction.role.updateMany({
    where: { id: roleId, organizationId: requireRowId('organizations', organizationId) },
    data: { stateVersion, updatedAt: at },
  })
  if (count === 0) return undefined
  return transaction.role.findUniqueOrThrow({ where: { id: roleId }, include: roleInclude })
}

type OpenRole = NonNullable<Awaited<ReturnType<typeof openRole>>>

const openPermission = async (
  { organizationId, permissionId }: PermissionReference,
  transaction: DatabaseTransaction,
  at: Date,
) => {
  const id = fromPublicId('permissions', permissionId)
  const found = id === undefined ? null : await transaction.permission.findUnique({ where: { id } })
  const role = found === null ? undefined : await openRole(organizationId, found.roleId, transaction, at)
  const row = role?.permissions.find((permission) => permission.id === id)
  if (role === undefined || row === undefined) throw unknown(permissionId)
  return { role, row }
}

const record = (
  transaction: DatabaseTransaction,
  { id, organizationId }: Pick<OpenRole, 'id' | 'organizationId'>,
  permissions: readonly Permission[],
  at: Date,
  { actor }: ProvisioningDeps,
): Promise<void> =>
  appendAudit(
    transaction,
    {
      actor,
      action: 'role.update',
      subject: { type: 'roles', id: toPublicId('roles', id) },
      organizationId: toPublicId('organizations', organizationId),
      details: { permissions: describePermissions(permissions) },
    },
    at,
  )

/** @throws AppErrors validation_error; AppError record_not_unique when the role has one for the resource type */
export const createPermission = async (
  { organizationId, roleId, subject, actions, restrictions = {}, ...notes }: PermissionInput,
  deps: ProvisioningDeps,
): Promise<{ id: string }> =>
  act(organizationId, deps, async (transaction, at) => {
    const role = await openRole(organizationId, requireRowId('roles', roleId), transaction, at)
    requireNoViolations({ role: role === undefined ? 'must be a role of the same organization' : undefined })
    if (role === undefined) throw unknown(roleId)
    if (role.permissions.some((row) => row.subject === subject)) {
      throw new AppError('record_not_unique', {
        detail: `The role has a permission for ${subject} already; update that one.`,
        source: { pointer: '/data/attributes/subject' },
      })
    }
    const made = { subject, actions, restrictions }
    const permissions = [...role.permissions.map(toPermission), made]
    requireNoViolations(permissionOfRoleViolations(made, { kind: role.kind, all: permissions }))
    const row = await transaction.permission.create({
      data: {
        ...toPermissionRow(made),
        roleId: role.id,
        ...noteColumns(notes),
        createdAt: at,
        updatedAt: at,
      },
    })
    await record(transaction, role, permissions, at, deps)
    return { id: toPublicId('permissions', row.id) }
  })

/** @throws AppErrors validation_error; AppError record_not_found */
export const updatePermission = async (
  reference: PermissionReference,
  { allowed = {}, restrictions, ...notes }: PermissionChanges,
  deps: ProvisioningDeps,
): Promise<void> =>
  act(reference.organizationId, deps, async (transaction, at) => {
    const { role, row } = await openPermission(reference, transaction, at)
    const before = toPermission(row)
    const after: Permission = {
      subject: row.subject,
      actions: ACTIONS.filter((action) => allowed[action] ?? before.actions.includes(action)),
      restrictions: restrictions ?? before.restrictions ?? {},
    }
    const all = role.permissions.map((one) => (one.id === row.id ? after : toPermission(one)))
    requireNoViolations(permissionOfRoleViolations(after, { kind: role.kind, all }))
    await transaction.permission.update({
      where: { id: row.id },
      data: { ...toPermissionRow(after), ...noteColumns(notes), updatedAt: at },
    })
    await record(transaction, role, all, at, deps)
  })

/** @throws AppError record_not_found */
export const deletePermission = async (
  reference: PermissionReference,
  deps: ProvisioningDeps,
): Promise<void> =>
  act(reference.organizationId, deps, async (transaction, at) => {
    const { role, row } = await openPermission(reference, transaction, at)
    await transaction.permission.delete({ where: { id: row.id } })
    const left = role.permissions.filter(({ id }) => id !== row.id)
    await record(transaction, role, left.map(toPermission), at, deps)
  })
