/**
 * Organizations, roles, users and credentials: by id, which is all that requests name them by, or by what people call
 * them at the command line, an id or a name that is unique.
 */
import type { Mode } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import { normalizeEmail, normalizeName } from '@merx/validation/normalize'
import type { CredentialKind } from '../clients/credential.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { fromPublicId, requireRowId } from '../store/public-ids.ts'
import { requireNoViolations } from './input-rules.ts'
import {
  credentialInclude,
  roleInclude,
  toCredentialRecord,
  toOrganizationRecord,
  toRoleRecord,
  toUserRecord,
  userInclude,
  type CredentialRecord,
  type OrganizationRecord,
  type RoleRecord,
  type UserRecord,
} from './records.ts'

const unknown = (what: string, reference: string, by: string): AppError =>
  new AppError('record_not_found', { detail: `There is no ${what} '${reference}' (${by}).` })

/** A name may be spelled like the id of another record: no order of precedence would be what everybody means. */
const ambiguous = (what: string, reference: string, names: string): AppError =>
  new AppError('validation_error', {
    title: 'is ambiguous',
    detail: `'${reference}' is the id of one ${what} and the ${names} of another; name the first by its ${names}, the second by its id.`,
  })

/** Lists are for people and scripts of one installation; whoever shows this many says that there may be more. */
export const LISTED_MAX = 1_000

export const listOrganizations = async (
  database: DatabaseTransaction,
): Promise<readonly OrganizationRecord[]> => {
  const rows = await database.organization.findMany({ orderBy: { slug: 'asc' }, take: LISTED_MAX })
  return rows.map(toOrganizationRecord)
}

/** @throws AppError record_not_found */
export const requireOrganizationById = async (
  organizationId: string,
  database: DatabaseTransaction,
): Promise<OrganizationRecord> => {
  const id = fromPublicId('organizations', organizationId)
  const row = id === undefined ? null : await database.organization.findUnique({ where: { id } })
  if (row === null) throw unknown('organization', organizationId, 'id')
  return toOrganizationRecord(row)
}

/** @param reference slug or id. @throws AppError record_not_found; validation_error when it is those of two */
export const requireOrganization = async (
  reference: string,
  database: DatabaseTransaction,
): Promise<OrganizationRecord> => {
  const id = fromPublicId('organizations', reference)
  const [row, other] = await database.organization.findMany({
    where: { OR: [{ slug: reference }, ...(id === undefined ? [] : [{ id }])] },
    take: 2,
  })
  if (row === undefined) throw unknown('organization', reference, 'slug or id')
  if (other !== undefined) throw ambiguous('organization', reference, 'slug')
  return toOrganizationRecord(row)
}

export const listRoles = async (
  organizationId: string,
  database: DatabaseTransaction,
): Promise<readonly RoleRecord[]> => {
  const rows = await database.role.findMany({
    where: { organizationId: requireRowId('organizations', organizationId) },
    include: roleInclude,
    orderBy: { name: 'asc' },
    take: LISTED_MAX,
  })
  return rows.map(toRoleRecord)
}

/** @throws AppError record_not_found */
export const requireRoleById = async (
  organizationId: string,
  roleId: string,
  database: DatabaseTransaction,
): Promise<RoleRecord> => {
  const id = fromPublicId('roles', roleId)
  const where = { id: id ?? -1n, organizationId: requireRowId('organizations', organizationId) }
  const row = await database.role.findUnique({ where, include: roleInclude })
  if (row === null) throw unknown('role', roleId, 'id, in this organization')
  return toRoleRecord(row)
}

/**
 * @param reference id or name within the organization.
 * @throws AppError record_not_found; validation_error when it is those of two
 */
export const requireRole = async (
  organizationId: string,
  reference: string,
  database: DatabaseTransaction,
): Promise<RoleRecord> => {
  const id = fromPublicId('roles', reference)
  const [row, other] = await database.role.findMany({
    where: {
      organizationId: requireRowId('organizations', organizationId),
      OR: [{ name: { in: [reference, normalizeName(reference)] } }, ...(id === undefined ? [] : [{ id }])],
    },
    include: roleInclude,
    take: 2,
  })
  if (row === undefined) throw unknown('role', reference, 'name or id, in this organization')
  if (other !== undefined) throw ambiguous('role', reference, 'name')
  return toRoleRecord(row)
}

/**
 * What is wrong with giving this role to something of the organization; undefined is fine. In the transaction that gives it
 * nobody deletes it from here on.
 */
export const roleInOrganizationViolation = async (
  organizationId: string,
  roleId: string | undefined,
  database: DatabaseTransaction,
): Promise<string | undefined> => {
  if (roleId === undefined) return undefined
  const id = fromPublicId('roles', roleId) ?? -1n
  const found = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM roles WHERE id = ${id} AND organization_id = ${requireRowId('organizations', organizationId)}
    FOR KEY SHARE`
  return found.length === 1 ? undefined : 'must be a role of the same organization'
}

/** In the transaction that gives the role: it may be gone since it was looked at. @throws AppErrors validation_error */
export const requireRoleStill = async (
  organizationId: string,
  roleId: string | undefined,
  transaction: DatabaseTransaction,
): Promise<void> =>
  requireNoViolations({ role: await roleInOrganizationViolation(organizationId, roleId, transaction) })

export const listUsers = async (
  organizationId: string,
  database: DatabaseTransaction,
): Promise<readonly UserRecord[]> => {
  const rows = await database.user.findMany({
    where: { organizationId: requireRowId('organizations', organizationId) },
    include: userInclude,
    orderBy: { email: 'asc' },
    take: LISTED_MAX,
  })
  return rows.map(toUserRecord)
}

/** @param reference email or id. @throws AppError record_not_found */
export const requireUser = async (
  organizationId: string,
  reference: string,
  database: DatabaseTransaction,
): Promise<UserRecord> => {
  const id = fromPublicId('users', reference)
  const row = await database.user.findFirst({
    where: {
      organizationId: requireRowId('organizations', organizationId),
      OR: [{ email: normalizeEmail(reference) }, ...(id === undefined ? [] : [{ id }])],
    },
    include: userInclude,
  })
  if (row === null) throw unknown('user', reference, 'email or id, in this organization')
  return toUserRecord(row)
}

export interface CredentialFilter {
  readonly organizationId?: string | undefined
  readonly mode?: Mode | undefined
  readonly kind?: CredentialKind | undefined
}

export const listCredentials = async (
  { organizationId, mode, kind }: CredentialFilter,
  database: DatabaseTransaction,
): Promise<readonly CredentialRecord[]> => {
  const rows = await database.credential.findMany({
    where: {
      ...(organizationId === undefined
        ? {}
        : { organizationId: requireRowId('organizations', organizationId) }),
      ...(mode === undefined ? {} : { mode }),
      ...(kind === undefined ? {} : { kind }),
    },
    include: credentialInclude,
    orderBy: [{ organizationId: 'asc' }, { mode: 'asc' }, { name: 'asc' }, { id: 'asc' }],
    take: LISTED_MAX,
  })
  return rows.map(toCredentialRecord)
}

/** @param reference id or client id. @throws AppError record_not_found */
export const requireCredential = async (
  reference: string,
  database: DatabaseTransaction,
): Promise<CredentialRecord> => {
  const id = fromPublicId('applications', reference)
  const row = await database.credential.findFirst({
    where: { OR: [{ clientId: reference }, ...(id === undefined ? [] : [{ id }])] },
    include: credentialInclude,
  })
  if (row === null) throw unknown('credential', reference, 'id or client id')
  return toCredentialRecord(row)
}

export const findCredentialByClientId = async (
  clientId: string,
  database: DatabaseTransaction,
): Promise<CredentialRecord | undefined> => {
  const row = await database.credential.findUnique({ where: { clientId }, include: credentialInclude })
  return row === null ? undefined : toCredentialRecord(row)
}
