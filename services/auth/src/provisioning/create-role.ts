import type { Permission } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import { normalizeName } from '@merx/validation/normalize'
import type { RoleKind } from '../clients/credential.ts'
import { takeNextVersion } from '../store/access-version.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { fromPublicId, requireRowId, toPublicId } from '../store/public-ids.ts'
import { act } from './act.ts'
import { nameViolation, requireNoViolations } from './input-rules.ts'
import { noteColumns, type Notes } from './notes.ts'
import { describePermissions, permissionsViolation, replacePermissions } from './permission-rows.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'

export interface RoleInput extends Notes {
  readonly organizationId: string
  readonly name: string
  readonly kind: RoleKind
  /** Custom roles only: resource types and what may be done with them. */
  readonly permissions?: readonly Permission[]
}

/** Far beyond the roles there will ever be. Of all words of ten letters, one in 16 is the id of some larger number. */
const ROLE_NUMBER_MAX = 2n ** 40n

/** A role that is named like the id of another one could be meant by either. */
export const roleNameViolation = (name: string): string | undefined => {
  const number = fromPublicId('roles', name)
  return number !== undefined && number <= ROLE_NUMBER_MAX
    ? 'must not be the id of a role'
    : nameViolation(name)
}

/** Once it has the version it alone writes roles, so that what it looks up stays true. */
const write = async (
  { organizationId, name: sentName, kind, permissions = [], ...notes }: RoleInput,
  deps: ProvisioningDeps,
  refuse: (isKnown: boolean) => void,
): Promise<{ id: string }> => {
  const name = normalizeName(sentName)
  requireNoViolations({
    name: roleNameViolation(name),
    permissions: permissionsViolation({ kind, permissions }),
  })
  return act(organizationId, deps, async (transaction, at) => {
    const stateVersion = await takeNextVersion(transaction)
    const key = { organizationId: requireRowId('organizations', organizationId), name }
    const isKnown = (await transaction.role.count({ where: key })) > 0
    refuse(isKnown)
    const changed = { kind, stateVersion, updatedAt: at, ...noteColumns(notes) }
    const role = await transaction.role.upsert({
      where: { organizationId_name: key },
      create: { ...key, ...changed, createdAt: at },
      update: changed,
    })
    await replacePermissions(role.id, permissions, at, transaction)
    const id = toPublicId('roles', role.id)
    await recordWritten(transaction, { id, organizationId, name, kind, permissions, isKnown, at }, deps)
    return { id }
  })
}

const recordWritten = (
  transaction: DatabaseTransaction,
  {
    id,
    organizationId,
    name,
    kind,
    permissions = [],
    isKnown,
    at,
  }: RoleInput & { id: string; isKnown: boolean; at: Date },
  { actor }: ProvisioningDeps,
): Promise<void> =>
  appendAudit(
    transaction,
    {
      actor,
      action: isKnown ? 'role.update' : 'role.create',
      subject: { type: 'roles', id },
      organizationId,
      details: { name, kind, permissions: describePermissions(permissions) },
    },
    at,
  )

/** The error of a name that another role of the organization has. */
export const roleNameTaken = (name: string): AppError =>
  new AppError('record_not_unique', {
    detail: `There is a role '${name}' already.`,
    source: { pointer: '/data/attributes/name' },
  })

/** @throws AppErrors validation_error; AppError record_not_unique when the name is taken */
export const createRole = (input: RoleInput, deps: ProvisioningDeps): Promise<{ id: string }> =>
  write(input, deps, (isKnown) => {
    if (isKnown) throw roleNameTaken(normalizeName(input.name))
  })

/** The organization's role of this name, with exactly this kind and these permissions from now on. */
export const putRole = (input: RoleInput, deps: ProvisioningDeps): Promise<{ id: string }> =>
  write(input, deps, () => undefined)
