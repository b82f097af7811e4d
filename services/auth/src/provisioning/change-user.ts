/** Changes of a user. Disabling ends all tokens that speak for the user; a new role acts through those that live. */
import { AppError } from '@merx/errors/app-error'
import { hashPassword } from '@merx/passwords/passwords'
import type { AuditAction, AuditEvent } from '../audit/audit-event.ts'
import {
  END_OF_TIME,
  recordAccessChange,
  startOfSecond,
  type ChangedAccess,
} from '../store/access-changes.ts'
import { appendAudit } from '../store/audit-store.ts'
import type { Prisma } from '../store/generated/client.ts'
import { requireRowId } from '../store/public-ids.ts'
import { requireUser } from './find-records.ts'
import { nameFault, passwordFault, requireFaultless } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning.ts'
import { toUserRecord, userInclude, type UserRecord } from './records.ts'

export interface UserReference {
  readonly organizationId: string
  /** Id or email. */
  readonly user: string
}

export interface UserChanges {
  readonly roleId?: string
  readonly password?: string
  readonly firstName?: string
  readonly lastName?: string
}

interface Act {
  readonly action: AuditAction
  readonly details?: NonNullable<AuditEvent['details']>
  readonly data: Prisma.UserUncheckedUpdateInput
  readonly access: ChangedAccess
  readonly alsoEndsRefreshTokens?: boolean
}

const change = async (
  { id }: UserRecord,
  organizationId: string,
  act: Act,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const rowId = requireRowId('users', id)
  const at = deps.clock.now()
  return deps.database.$transaction(async (transaction) => {
    const { count } = await transaction.user.updateMany({ where: { id: rowId }, data: act.data })
    if (count === 0) throw new AppError('record_not_found', { detail: `There is no user '${id}'.` })
    if (act.alsoEndsRefreshTokens === true) {
      await transaction.refreshFamily.updateMany({
        where: { ownerType: 'User', ownerId: id, revokedAt: null },
        data: { revokedAt: at },
      })
    }
    const row = await transaction.user.findUniqueOrThrow({ where: { id: rowId }, include: userInclude })
    const subject = { type: 'users', id }
    const details = { email: row.email, ...act.details }
    await appendAudit(
      transaction,
      { actor: deps.actor, action: act.action, subject, organizationId, details },
      at,
    )
    await recordAccessChange(transaction, { type: 'user', id: rowId }, act.access, at)
    return toUserRecord(row)
  })
}

/** @throws AppErrors validation_error; AppError record_not_found */
export const updateUser = async (
  { organizationId, user: reference }: UserReference,
  { roleId, password, firstName, lastName }: UserChanges,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  requireFaultless({
    password: password === undefined ? undefined : passwordFault(password),
    first_name: firstName === undefined ? undefined : nameFault(firstName),
    last_name: lastName === undefined ? undefined : nameFault(lastName),
  })
  const user = await requireUser(organizationId, reference, deps.database)
  const roleRowId = roleId === undefined ? undefined : requireRowId('roles', roleId)
  const role =
    roleRowId === undefined
      ? undefined
      : await deps.database.role.findFirst({
          where: { id: roleRowId, organizationId: requireRowId('organizations', organizationId) },
        })
  requireFaultless({ role: role === null ? 'must be a role of the same organization' : undefined })
  const names = {
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
  }
  const data = {
    ...names,
    ...(roleRowId === undefined ? {} : { roleId: roleRowId }),
    ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
  }
  const details = {
    ...(roleId === undefined ? {} : { role: roleId }),
    ...(password === undefined ? {} : { password_changed: true }),
    ...(firstName === undefined && lastName === undefined ? {} : { name_changed: true }),
  }
  const access = roleRowId === undefined ? {} : { roleId: roleRowId }
  return change(user, organizationId, { action: 'user.update', details, data, access }, deps)
}

export const disableUser = async (
  { organizationId, user: reference }: UserReference,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const user = await requireUser(organizationId, reference, deps.database)
  if (user.disabledAt !== null) return user
  const act: Act = {
    action: 'user.disable',
    data: { disabledAt: deps.clock.now() },
    access: { revokedBefore: END_OF_TIME },
    alsoEndsRefreshTokens: true,
  }
  return change(user, organizationId, act, deps)
}

export const enableUser = async (
  { organizationId, user: reference }: UserReference,
  deps: ProvisioningDeps,
): Promise<UserRecord> => {
  const user = await requireUser(organizationId, reference, deps.database)
  if (user.disabledAt === null) return user
  const access = { revokedBefore: startOfSecond(deps.clock.now()) }
  return change(user, organizationId, { action: 'user.enable', data: { disabledAt: null }, access }, deps)
}
