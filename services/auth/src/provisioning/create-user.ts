import { hashPassword } from '@merx/passwords/passwords'
import { appendAudit } from '../store/audit-store.ts'
import { requireRowId, toPublicId } from '../store/public-ids.ts'
import { emailFault, nameFault, passwordFault, requireFaultless } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning.ts'

export interface UserInput {
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

export const createUser = async (
  input: UserInput,
  { database, clock, actor }: ProvisioningDeps,
): Promise<{ id: string }> => {
  const { firstName, lastName, timeZone = 'UTC', isOwner = false } = input
  requireFaultless({
    email: emailFault(input.email),
    password: passwordFault(input.password),
    first_name: firstName === undefined ? undefined : nameFault(firstName),
    last_name: lastName === undefined ? undefined : nameFault(lastName),
  })
  const email = input.email.toLowerCase()
  const organizationId = requireRowId('organizations', input.organizationId)
  const roleId = requireRowId('roles', input.roleId)
  const role = await database.role.findFirst({ where: { id: roleId, organizationId } })
  requireFaultless({ role: role === null ? 'must be a role of the same organization' : undefined })
  const passwordHash = await hashPassword(input.password)
  const names = { firstName: firstName ?? '', lastName: lastName ?? '' }
  const at = clock.now()
  return database.$transaction(async (transaction) => {
    const [created] = await transaction.user.createManyAndReturn({
      data: [{ organizationId, roleId, email, passwordHash, ...names, timeZone, isOwner, createdAt: at }],
      skipDuplicates: true,
    })
    const row =
      created ??
      (await transaction.user.findUniqueOrThrow({
        where: { organizationId_email: { organizationId, email } },
      }))
    const id = toPublicId('users', row.id)
    if (created === undefined) return { id }
    const subject = { type: 'users', id }
    const details = { email, role: input.roleId, is_owner: isOwner }
    const event = { actor, action: 'user.create', subject, details } as const
    await appendAudit(transaction, { ...event, organizationId: input.organizationId }, at)
    return { id }
  })
}
