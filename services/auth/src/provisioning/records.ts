/** Converts rows to the records that provisioning shows: public ids, no secrets, no hashes. */
import type { Mode, Permission } from '@merx/access-token/caller'
import type { CredentialKind, RoleKind } from '../clients/credential.ts'
import { DEFAULT_LIFETIME_SECONDS } from '../clients/lifetimes.ts'
import { toPermission } from '../store/access-state-store.ts'
import type { Prisma } from '../store/generated/client.ts'
import { toPublicId } from '../store/public-ids.ts'

/** What everything has that is provisioned; see notes.ts. */
export interface Noted {
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly reference: string | null
  readonly referenceOrigin: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface OrganizationRecord extends Noted {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly isEnterprise: boolean
  readonly region: string
}

export interface RoleRecord extends Noted {
  readonly id: string
  readonly name: string
  readonly kind: RoleKind
  readonly permissions: readonly Permission[]
}

interface RoleName {
  readonly id: string
  readonly name: string
  readonly kind: RoleKind
}

export interface UserRecord extends Noted {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly timeZone: string
  readonly isOwner: boolean
  readonly role: RoleName
  readonly disabledAt: Date | null
}

export interface CredentialRecord extends Noted {
  readonly id: string
  readonly organization: { readonly id: string; readonly slug: string }
  readonly mode: Mode
  readonly kind: CredentialKind
  readonly name: string
  readonly clientId: string
  readonly redirectUri: string | null
  /** Lifetime of its access tokens in seconds: its own, or the default of its kind. */
  readonly expiresIn: number
  readonly role: RoleName | null
  readonly disabledAt: Date | null
}

export const roleInclude = {
  permissions: { orderBy: { subject: 'asc' } },
} satisfies Prisma.RoleInclude
export const userInclude = { role: true } satisfies Prisma.UserInclude
export const credentialInclude = { role: true, organization: true } satisfies Prisma.CredentialInclude

const toRoleName = (row: { id: bigint; name: string; kind: RoleKind }): RoleName => ({
  id: toPublicId('roles', row.id),
  name: row.name,
  kind: row.kind,
})

const toNoted = (row: Omit<Noted, 'metadata'> & { readonly metadata: Prisma.JsonValue }): Noted => ({
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  reference: row.reference,
  referenceOrigin: row.referenceOrigin,
  metadata: row.metadata as Noted['metadata'],
})

export const toOrganizationRecord = (row: Prisma.OrganizationGetPayload<object>): OrganizationRecord => ({
  id: toPublicId('organizations', row.id),
  slug: row.slug,
  name: row.name,
  isEnterprise: row.isEnterprise,
  region: row.region,
  ...toNoted(row),
})

export const toRoleRecord = (row: Prisma.RoleGetPayload<{ include: typeof roleInclude }>): RoleRecord => ({
  ...toRoleName(row),
  permissions: row.permissions.map(toPermission),
  ...toNoted(row),
})

export const toUserRecord = (row: Prisma.UserGetPayload<{ include: typeof userInclude }>): UserRecord => ({
  id: toPublicId('users', row.id),
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  timeZone: row.timeZone,
  isOwner: row.isOwner,
  role: toRoleName(row.role),
  disabledAt: row.disabledAt,
  ...toNoted(row),
})

export const toCredentialRecord = (
  row: Prisma.CredentialGetPayload<{ include: typeof credentialInclude }>,
): CredentialRecord => ({
  id: toPublicId('applications', row.id),
  organization: { id: toPublicId('organizations', row.organization.id), slug: row.organization.slug },
  mode: row.mode,
  kind: row.kind,
  name: row.name,
  clientId: row.clientId,
  redirectUri: row.redirectUri,
  expiresIn: row.expiresInSeconds ?? DEFAULT_LIFETIME_SECONDS[row.kind],
  role: row.role === null ? null : toRoleName(row.role),
  disabledAt: row.disabledAt,
  ...toNoted(row),
})
