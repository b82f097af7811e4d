/**
 * Changes of a user. Disabling, deleting and a new password end all tokens that speak for the user (RFC 9700 4.14.2);
 * a new role acts through those that live.
 */
import { AppError } from '@merx/errors/app-error'
import { hashPassword } from '@merx/passwords/passwords'
import { normalizeEmail } from '@merx/validation/normalize'
import type { AuditAction, AuditEvent } from '../audit/audit-event.ts'
import {
  END_OF_TIME,
  recordAccessChange,
  startOfNextSecond,
  type ChangedAccess,
} from '../store/access-changes.ts'
import { appendAudit } from '../store/audit-store.ts'
import { isTaken } from '../store/database-errors.ts'
import { endFamiliesOfUser, revokeAccessTokensOf } from '../store/end-families.ts'
import type { Prisma } from '../store/generated/client.ts'
import type { DatabaseTransaction } from '../store/prisma-client.ts'
import { requireRowId } from '../store/public-ids.ts'
import { act, readerOf } from './act.ts'
import { userViolations } from './create-user.ts'
import { requireUser, roleInOrganizationViolation } from './find-records.ts'
import { requireNoViolations } from './input-rules.ts'
import { noteColumns, noteDetails, type Notes } from './notes.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import { toUserRecord, userInclude, type UserRecord } from './records.ts'

export interface UserReference {
  readonly organizationId: string
  /** Id or email. */
  readonly user: string
}

export interface UserChanges extends Notes {
  readonly email?: string
  readonly roleId?: string
  readonly password?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly timeZone?: string
}

interface Change {
  readonly action: AuditAction
  readonly details?: NonNullable<AuditEvent['details']>
  readonly data: Prisma.UserUncheckedUpdateInput
  readonly access: ChangedAccess
  /** All tokens from before the change, and the refresh tokens that would give others. */
  readonly endsTokens?: boolean
}

const gone = (id: string): AppError =>
  new AppError('record_not_found', { detail: `There is no user '${id}'.` })

/** A disabled user stays cut off. Tokens of before a new password are those that were issued before it commits. */
const cutOffOf = (
  { access, endsTokens }: Change,
  { disabledAt }: { disabledAt: Date | null },
  { clock }: ProvisioningDeps,
): ChangedAccess =>
  endsTokens === true && access.revokedBefore === undefined && disabledAt === null
    ? { ...access, revokedBefore: startOfNextSecond(clock.now()) }
    : access

/** One transaction: the row, what hangs on it, the audit log, and word to the services. */
const change = (
  { id }: UserRecord,
  organizationId: string,
  changed: Change,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const rowId = requireRowId('users', id)
  return act(organizationId, deps, async (transaction, at) => {
    const { count } = await transaction.user.updateMany({
      where: { id: rowId },
      data: { ...changed.data, updatedAt: at },
    })
    if (count === 0) throw gone(id)
    // The row is locked by now, so no family begins until the commit (refresh-token-store.ts).
    const ended = changed.endsTokens === true ? await endFamiliesOfUser(transaction, id, at) : []
    const row = await transaction.user.findUniqueOrThrow({ where: { id: rowId }, include: userInclude })
    const subject = { type: 'users', id }
    const event = { actor: deps.actor, action: changed.action, subject, organizationId }
    const endings = changed.endsTokens === true ? { refresh_families_ended: ended.length } : {}
    const details = { email: row.email, ...changed.details, ...endings }
    await appendAudit(transaction, { ...event, details }, at)
    const access = cutOffOf(changed, row, deps)
    const stateVersion = await recordAccessChange(transaction, { type: 'user', id: rowId }, access, at)
    await revokeAccessTokensOf(transaction, ended, { at, stateVersion })
    return toUserRecord(row)
  })
}

const emailTaken = (email: string): AppError =>
  new AppError('record_not_unique', {
    detail: `There is a user '${email}' already.`,
    source: { pointer: '/data/attributes/email' },
  })

const requireFreeEmail = async (
  organizationId: string,
  { id, email }: { id: string; email: string },
  database: DatabaseTransaction,
): Promise<void> => {
  const where = {
    organizationId: requireRowId('organizations', organizationId),
    email,
    id: { not: requireRowId('users', id) },
  }
  if ((await database.user.count({ where })) > 0) throw emailTaken(email)
}

const dataOf = async ({ email, roleId, password, firstName, lastName, timeZone, ...notes }: UserChanges) => ({
  ...(email === undefined ? {} : { email: normalizeEmail(email) }),
  ...(firstName === undefined ? {} : { firstName }),
  ...(lastName === undefined ? {} : { lastName }),
  ...(timeZone === undefined ? {} : { timeZone }),
  ...(roleId === undefined ? {} : { roleId: requireRowId('roles', roleId) }),
  ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
  ...noteColumns(notes),
})

const detailsOf = ({ email, roleId, password, firstName, lastName, timeZone, ...notes }: UserChanges) => ({
  ...(email === undefined ? {} : { email_changed: true }),
  ...(roleId === undefined ? {} : { role: roleId }),
  ...(password === undefined ? {} : { password_changed: true }),
  ...(firstName === undefined && lastName === undefined ? {} : { name_changed: true }),
  ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  ...noteDetails(notes),
})

/**
 * A password that is given counts as a new one, also when it is the same again.
 * @throws AppErrors validation_error; AppError record_not_found, record_not_unique
 */
export const updateUser = async (
  { organizationId, user: reference }: UserReference,
  changes: UserChanges,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const database = readerOf(deps)
  const user = await requireUser(organizationId, reference, database)
  requireNoViolations({
    ...userViolations(changes),
    role: await roleInOrganizationViolation(organizationId, changes.roleId, database),
  })
  const { email, roleId, password } = changes
  if (email !== undefined)
    await requireFreeEmail(organizationId, { id: user.id, email: normalizeEmail(email) }, database)
  const access = roleId === undefined ? {} : { roleId: requireRowId('roles', roleId) }
  const data = await dataOf(changes)
  const details = detailsOf(changes)
  const update = { action: 'user.update', details, data, access, endsTokens: password !== undefined } as const
  try {
    return await change(user, organizationId, update, deps)
  } catch (error) {
    // Somebody was given it since it was looked up.
    throw data.email !== undefined && isTaken(error) ? emailTaken(data.email) : error
  }
}

export const disableUser = async (
  { organizationId, user: reference }: UserReference,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const user = await requireUser(organizationId, reference, readerOf(deps))
  if (user.disabledAt !== null) return user
  const disabling: Change = {
    action: 'user.disable',
    data: { disabledAt: deps.clock.now() },
    access: { revokedBefore: END_OF_TIME },
    endsTokens: true,
  }
  return change(user, organizationId, disabling, deps)
}

export const enableUser = async (
  { organizationId, user: reference }: UserReference,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const user = await requireUser(organizationId, reference, readerOf(deps))
  if (user.disabledAt === null) return user
  const access = { revokedBefore: startOfNextSecond(deps.clock.now()) }
  return change(user, organizationId, { action: 'user.enable', data: { disabledAt: null }, access }, deps)
}

/** As disabling, and for ever. The email is free again. @throws AppError record_not_found */
export const deleteUser = async (
  { organizationId, user: reference }: UserReference,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const user = await requireUser(organizationId, reference, readerOf(deps))
  const id = requireRowId('users', user.id)
  await act(organizationId, deps, async (transaction, at) => {
    const { count } = await transaction.user.deleteMany({ where: { id } })
    if (count === 0) throw gone(user.id)
    await endFamiliesOfUser(transaction, user.id, at)
    const subject = { type: 'users', id: user.id }
    const event = { actor: deps.actor, action: 'user.delete', subject, organizationId } as const
    await appendAudit(transaction, { ...event, details: { email: user.email, role: user.role.id } }, at)
    await recordAccessChange(transaction, { type: 'user', id }, { revokedBefore: END_OF_TIME }, at)
  })
  return user
}
