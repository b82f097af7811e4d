import { AppError } from '@merx/errors/app-error'
import { hashPassword } from '@merx/passwords/passwords'
import { normalizeEmail } from '@merx/validation/normalize'
import { appendAudit } from '../store/audit-store.ts'
import { requireRowId, toPublicId } from '../store/public-ids.ts'
import { act, readerOf } from './act.ts'
import { requireRoleStill, roleInOrganizationViolation } from './find-records.ts'
import {
  emailViolation,
  passwordViolation,
  personNameViolation,
  requireNoViolations,
  timeZoneViolation,
  type Violations,
} from './input-rules.ts'
import { noteColumns, type Notes } from './notes.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'

export interface UserInput extends Notes {
  readonly organizationId: string
  readonly email: string
  readonly password: string
  readonly roleId: string
  readonly firstName?: string
  readonly lastName?: string
  readonly timeZone?: string
  /** The owner of the organization. */
  readonly isOwner?: boolean
}

type UserValues = Partial<Pick<UserInput, 'email' | 'password' | 'firstName' | 'lastName' | 'timeZone'>>

/** What is wrong with the values that are given. */
export const userViolations = ({
  email,
  password,
  firstName,
  lastName,
  timeZone,
}: UserValues): Violations => ({
  email: email === undefined ? undefined : emailViolation(email),
  password: password === undefined ? undefined : passwordViolation(password),
  first_name: firstName === undefined ? undefined : personNameViolation(firstName),
  last_name: lastName === undefined ? undefined : personNameViolation(lastName),
  time_zone: timeZone === undefined ? undefined : timeZoneViolation(timeZone),
})

/** Undefined when the organization has a user with this email. */
const insert = async (input: UserInput, deps: ProvisioningDeps): Promise<{ id: string } | undefined> => {
  const { organizationId, firstName = '', lastName = '', timeZone = 'UTC', isOwner = false } = input
  requireNoViolations({
    ...userViolations(input),
    role: await roleInOrganizationViolation(organizationId, input.roleId, readerOf(deps)),
  })
  const email = normalizeEmail(input.email)
  const passwordHash = await hashPassword(input.password)
  return act(organizationId, deps, async (transaction, at) => {
    await requireRoleStill(organizationId, input.roleId, transaction)
    const row = {
      organizationId: requireRowId('organizations', organizationId),
      roleId: requireRowId('roles', input.roleId),
      ...{ email, passwordHash, firstName, lastName, timeZone, isOwner },
      ...noteColumns(input),
      createdAt: at,
      updatedAt: at,
    }
    const [created] = await transaction.user.createManyAndReturn({ data: [row], skipDuplicates: true })
    if (created === undefined) return undefined
    const id = toPublicId('users', created.id)
    const details = { email, role: input.roleId, is_owner: isOwner }
    const event = {
      actor: deps.actor,
      action: 'user.create',
      subject: { type: 'users', id },
      details,
    } as const
    await appendAudit(transaction, { ...event, organizationId }, at)
    return { id }
  })
}

/** @throws AppErrors validation_error; AppError record_not_unique when the email is taken */
export const createUser = async (input: UserInput, deps: ProvisioningDeps): Promise<{ id: string }> => {
  const made = await insert(input, deps)
  if (made !== undefined) return made
  throw new AppError('record_not_unique', {
    detail: `There is a user '${normalizeEmail(input.email)}' already.`,
    source: { pointer: '/data/attributes/email' },
  })
}

/** The organization's user with this email, created unless it is there. */
export const putUser = async (input: UserInput, deps: ProvisioningDeps): Promise<{ id: string }> => {
  const made = await insert(input, deps)
  if (made !== undefined) return made
  const organizationId = requireRowId('organizations', input.organizationId)
  const { id } = await deps.database.user.findUniqueOrThrow({
    where: { organizationId_email: { organizationId, email: normalizeEmail(input.email) } },
  })
  return { id: toPublicId('users', id) }
}
