import type { Permission } from '@merx/access-token/caller'
import type { RoleKind } from '../clients/credential.ts'
import { takeNextVersion } from '../store/access-version.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { Prisma } from '../store/generated/client.ts'
import { requireRowId, toPublicId } from '../store/public-ids.ts'
import { nameFault, requireFaultless } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning.ts'

export interface RoleInput {
  readonly organizationId: string
  readonly name: string
  readonly kind: RoleKind
  /** Custom roles only: resource types and what may be done with them. */
  readonly permissions?: readonly Permission[]
}

const SUBJECT = /^[a-z][a-z0-9_]{0,62}$/
const PERMISSIONS_MAX = 500

export const permissionsFault = ({
  kind,
  permissions = [],
}: Pick<RoleInput, 'kind' | 'permissions'>): string | undefined => {
  if (kind !== 'custom' && permissions.length > 0) return 'can be given to roles of kind custom only'
  if (permissions.length > PERMISSIONS_MAX) return `must be at most ${PERMISSIONS_MAX}`
  const bad = permissions.find(({ subject }) => !SUBJECT.test(subject))
  if (bad !== undefined) return `'${bad.subject}' must be a resource type, such as orders`
  const subjects = new Set(permissions.map(({ subject }) => subject))
  return subjects.size === permissions.length ? undefined : 'must name each resource type once'
}

/** The audit log keeps the first of them; an event has a bounded size. */
const DESCRIBED_MAX = 100

/** As the audit log tells them: `orders:read,update`. */
export const describePermissions = (permissions: readonly Permission[]): readonly string[] => {
  const left = permissions.length - DESCRIBED_MAX
  return [
    ...permissions.slice(0, DESCRIBED_MAX).map(({ subject, actions }) => `${subject}:${actions.join(',')}`),
    ...(left > 0 ? [`and ${left} more`] : []),
  ]
}

export const toPermissionRow = ({ subject, actions, restrictions = {} }: Permission) => ({
  subject,
  canCreate: actions.includes('create'),
  canRead: actions.includes('read'),
  canUpdate: actions.includes('update'),
  canDestroy: actions.includes('destroy'),
  restrictions: restrictions as Prisma.InputJsonObject,
})

export const createRole = async (
  input: RoleInput,
  { database, clock, actor }: ProvisioningDeps,
): Promise<{ id: string }> => {
  requireFaultless({ name: nameFault(input.name), permissions: permissionsFault(input) })
  const { name, kind, permissions = [] } = input
  const organizationId = requireRowId('organizations', input.organizationId)
  const row = await database.$transaction(async (transaction) => {
    const stateVersion = await takeNextVersion(transaction)
    const known = await transaction.role.findUnique({
      where: { organizationId_name: { organizationId, name } },
    })
    const role = await transaction.role.upsert({
      where: { organizationId_name: { organizationId, name } },
      create: { organizationId, name, kind, stateVersion, createdAt: clock.now() },
      update: { kind, stateVersion },
    })
    await transaction.permission.deleteMany({ where: { roleId: role.id } })
    await transaction.permission.createMany({
      data: permissions.map((permission) => ({ ...toPermissionRow(permission), roleId: role.id })),
    })
    const event = {
      actor,
      action: known === null ? 'role.create' : 'role.update',
      subject: { type: 'roles', id: toPublicId('roles', role.id) },
      organizationId: input.organizationId,
      details: { name, kind, permissions: describePermissions(permissions) },
    } as const
    await appendAudit(transaction, event, clock.now())
    return role
  })
  return { id: toPublicId('roles', row.id) }
}
