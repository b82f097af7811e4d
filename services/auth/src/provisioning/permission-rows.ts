/** Permissions of custom roles ↔ their rows, and the rules they keep. */
import type { Permission } from '@merx/access-token/caller'
import type { RoleKind } from '../clients/credential.ts'
import { permissionViolations, sizeViolation } from '../roles/permission-violations.ts'
import type { Prisma } from '../store/generated/client.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import type { Violations } from './input-rules.ts'

const PERMISSIONS_MAX = 500
const VIOLATIONS_SHOWN_MAX = 20

export const permissionsViolation = ({
  kind,
  permissions = [],
}: {
  readonly kind: RoleKind
  readonly permissions?: readonly Permission[]
}): string | undefined => {
  if (kind !== 'custom' && permissions.length > 0) return 'can be given to roles of kind custom only'
  if (permissions.length > PERMISSIONS_MAX) return `must be at most ${PERMISSIONS_MAX}`
  const violations = permissions.flatMap(permissionViolations)
  if (violations.length > 0) return violations.slice(0, VIOLATIONS_SHOWN_MAX).join('; ')
  const subjects = new Set(permissions.map(({ subject }) => subject))
  if (subjects.size !== permissions.length) return 'must name each resource type once'
  return sizeViolation(permissions)
}

/** What is wrong with the restrictions of one permission. */
export const restrictionsViolation = (permission: Permission): string | undefined => {
  const violations = permissionViolations(permission)
  return violations.length === 0 ? undefined : violations.slice(0, VIOLATIONS_SHOWN_MAX).join('; ')
}

/** Violations of one permission of a role, given the other permissions of the role. */
export const permissionOfRoleViolations = (
  permission: Permission,
  { kind, all }: { readonly kind: RoleKind; readonly all: readonly Permission[] },
): Violations => ({
  role: kind === 'custom' ? undefined : 'must be a role of kind custom',
  restrictions: restrictionsViolation(permission) ?? sizeViolation(all),
})

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

/** Exactly these from now on; those of a resource type that stays keep their id. */
export const replacePermissions = async (
  roleId: bigint,
  permissions: readonly Permission[],
  at: Date,
  transaction: DatabaseTransaction,
): Promise<void> => {
  const subjects = permissions.map(({ subject }) => subject)
  await transaction.permission.deleteMany({ where: { roleId, subject: { notIn: subjects } } })
  const known = await transaction.permission.findMany({ where: { roleId }, select: { subject: true } })
  const isKnown = new Set(known.map(({ subject }) => subject))
  const added = permissions.filter(({ subject }) => !isKnown.has(subject))
  await transaction.permission.createMany({
    data: added.map((permission) => ({
      ...toPermissionRow(permission),
      roleId,
      createdAt: at,
      updatedAt: at,
    })),
  })
  for (const permission of permissions.filter(({ subject }) => isKnown.has(subject))) {
    await transaction.permission.updateMany({
      where: { roleId, subject: permission.subject },
      data: { ...toPermissionRow(permission), updatedAt: at },
    })
  }
}
