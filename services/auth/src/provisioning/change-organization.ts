/** Changes of an organization, and its end. */
import { AppError } from '@merx/errors/app-error'
import { END_OF_TIME, recordAccessChange } from '../store/access-changes.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { requireRowId } from '../store/public-ids.ts'
import { act, readerOf } from './act.ts'
import { notifyCore } from './create-organization.ts'
import { requireOrganizationById } from './find-records.ts'
import { nameViolation, regionViolation, requireNoViolations, slugViolation } from './input-rules.ts'
import { noteColumns, noteDetails, type Notes } from './notes.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import { toOrganizationRecord, type OrganizationRecord } from './records.ts'

export interface OrganizationChanges extends Notes {
  readonly name?: string
  /** Its host name changes with it: clients that know the old one stop working. */
  readonly slug?: string
  readonly isEnterprise?: boolean
  readonly region?: string
}

const requireFreeSlug = async (id: bigint, slug: string, database: DatabaseTransaction): Promise<void> => {
  if ((await database.organization.count({ where: { slug, id: { not: id } } })) === 0) return
  throw new AppError('record_not_unique', { detail: `There is an organization '${slug}' already.` })
}

/**
 * Tokens issued from now on carry the changes; core is notified of names.
 * @throws AppErrors validation_error; AppError record_not_found, record_not_unique, oauth_unavailable when core is unavailable
 *   (then everything but core's copy of the name is changed; repeat it)
 */
export const updateOrganization = async (
  organizationId: string,
  { name, slug, isEnterprise, region, ...notes }: OrganizationChanges,
  deps: ProvisioningDeps,
): Promise<OrganizationRecord> => {
  requireNoViolations({
    name: name === undefined ? undefined : nameViolation(name),
    slug: slug === undefined ? undefined : slugViolation(slug),
    region: region === undefined ? undefined : regionViolation(region),
  })
  const database = readerOf(deps)
  const before = await requireOrganizationById(organizationId, database)
  const id = requireRowId('organizations', before.id)
  if (slug !== undefined) await requireFreeSlug(id, slug, database)
  const described = {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(region === undefined ? {} : { region }),
  }
  const plan = isEnterprise === undefined ? {} : { isEnterprise }
  const details = {
    ...described,
    ...(isEnterprise === undefined ? {} : { enterprise: isEnterprise }),
    ...noteDetails(notes),
  }
  const after = await act(before.id, deps, async (transaction, at) => {
    const data = { ...described, ...plan, ...noteColumns(notes), updatedAt: at }
    const row = await transaction.organization.update({ where: { id }, data })
    const subject = { type: 'organizations', id: before.id }
    const event = { actor: deps.actor, action: 'organization.update', subject, details } as const
    await appendAudit(transaction, { ...event, organizationId: before.id }, at)
    return toOrganizationRecord(row)
  })
  if (name !== undefined || slug !== undefined) await notifyCore(after, deps)
  return after
}

/** What goes with an organization, and what stands in the way. */
export interface OrganizationContents {
  readonly users: number
  readonly roles: number
  readonly credentials: number
  readonly enabledCredentials: number
  /** Resource types that core has records of, in either mode. */
  readonly recordTypes: readonly string[]
}

export const describeContents = async (
  { id }: Pick<OrganizationRecord, 'id'>,
  deps: ProvisioningDeps,
): Promise<OrganizationContents> => {
  const where = { organizationId: requireRowId('organizations', id) }
  const { database, core } = deps
  return {
    users: await database.user.count({ where }),
    roles: await database.role.count({ where }),
    credentials: await database.credential.count({ where }),
    enabledCredentials: await database.credential.count({ where: { ...where, disabledAt: null } }),
    recordTypes: await core.listRecordTypes(id),
  }
}

/** @throws AppError locked, saying what to do first */
export const requireDeletable = (
  { slug }: Pick<OrganizationRecord, 'slug'>,
  { enabledCredentials, recordTypes }: OrganizationContents,
): void => {
  if (enabledCredentials > 0) {
    throw new AppError('locked', {
      detail: `${enabledCredentials} credentials of '${slug}' are enabled: somebody may be using them. Disable or delete them first.`,
    })
  }
  if (recordTypes.length > 0) {
    throw new AppError('locked', {
      detail: `Core still has records of '${slug}': ${recordTypes.join(', ')}. Delete them first, in both modes.`,
    })
  }
}

/**
 * The organization with its users, roles and credentials, for ever; its audit log stays. Refused while a credential is
 * enabled or core has records, so that nothing is lost that somebody uses.
 *
 * @throws AppError record_not_found, locked, oauth_unavailable when core cannot be asked
 */
export const deleteOrganization = async (
  organizationId: string,
  deps: ProvisioningDeps,
): Promise<OrganizationRecord> => {
  const organization = await requireOrganizationById(organizationId, deps.database)
  requireDeletable(organization, await describeContents(organization, deps))
  const id = requireRowId('organizations', organization.id)
  await act(organization.id, deps, async (transaction, at) => {
    // No credential is made or enabled meanwhile: that takes a share lock on this row, or changes it.
    await transaction.$executeRaw`SELECT 1 FROM organizations WHERE id = ${id} FOR UPDATE`
    const where = { organizationId: id }
    const enabledCredentials = await transaction.credential.count({ where: { ...where, disabledAt: null } })
    requireDeletable(organization, {
      users: 0,
      roles: 0,
      credentials: 0,
      enabledCredentials,
      recordTypes: [],
    })
    const users = await transaction.user.findMany({ where, select: { id: true } })
    const credentials = await transaction.credential.findMany({ where, select: { id: true } })
    await removeRows(id, transaction)
    const subject = { type: 'organizations', id: organization.id }
    const details = { slug: organization.slug, users: users.length, credentials: credentials.length }
    const event = { actor: deps.actor, action: 'organization.delete', subject, details } as const
    await appendAudit(transaction, { ...event, organizationId: organization.id }, at)
    const ended = { revokedBefore: END_OF_TIME }
    for (const user of users) await recordAccessChange(transaction, { type: 'user', id: user.id }, ended, at)
    for (const { id: credentialId } of credentials)
      await recordAccessChange(transaction, { type: 'application', id: credentialId }, ended, at)
  })
  return organization
}

/** Users and credentials refer to roles, so they go first. */
const removeRows = async (id: bigint, transaction: DatabaseTransaction): Promise<void> => {
  const where = { organizationId: id }
  await transaction.credential.deleteMany({ where })
  await transaction.user.deleteMany({ where })
  await transaction.role.deleteMany({ where })
  await transaction.organization.delete({ where: { id } })
}
