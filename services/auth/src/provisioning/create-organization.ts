import { AppError } from '@merx/errors/app-error'
import { appendAudit } from '../store/audit-store.ts'
import { toPublicId } from '../store/public-ids.ts'
import { nameViolation, regionViolation, requireNoViolations, slugViolation } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'

export interface OrganizationInput {
  readonly slug: string
  readonly name: string
  readonly isEnterprise?: boolean
  readonly region?: string
}

export interface CreatedOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
}

export const findOrganization = async (
  slug: string,
  { database }: Pick<ProvisioningDeps, 'database'>,
): Promise<CreatedOrganization | undefined> => {
  const row = await database.organization.findUnique({ where: { slug } })
  return row === null
    ? undefined
    : { id: toPublicId('organizations', row.id), slug: row.slug, name: row.name }
}

/** Core has one environment of it for each mode. Repeating it is harmless. */
export const notifyCore = async (
  { id: organizationId, slug, name }: CreatedOrganization,
  { core }: Pick<ProvisioningDeps, 'core'>,
): Promise<void> => {
  for (const mode of ['test', 'live'] as const)
    await core.putEnvironment({ organizationId, mode }, { slug, name })
}

/** Undefined when the slug is taken. */
const insert = async (
  { slug, name, isEnterprise = false, region = 'eu-west-1' }: OrganizationInput,
  { database, actor, clock }: ProvisioningDeps,
): Promise<CreatedOrganization | undefined> => {
  requireNoViolations({
    slug: slugViolation(slug),
    name: nameViolation(name),
    region: regionViolation(region),
  })
  const at = clock.now()
  return database.$transaction(async (transaction) => {
    const [row] = await transaction.organization.createManyAndReturn({
      data: [{ slug, name, isEnterprise, region, createdAt: at, updatedAt: at }],
      skipDuplicates: true,
    })
    if (row === undefined) return undefined
    const id = toPublicId('organizations', row.id)
    const subject = { type: 'organizations', id }
    const event = { actor, action: 'organization.create', subject, organizationId: id } as const
    await appendAudit(transaction, { ...event, details: { slug, name } }, at)
    return { id, slug, name }
  })
}

const isCoreUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'oauth_unavailable'

/**
 * Made also while core is unavailable, which learns of it with its first token: repeating it would only find the slug taken.
 * @returns the organization, and whether core was notified
 * @throws AppErrors validation_error; AppError record_not_unique when the slug is taken
 */
export const createOrganization = async (
  input: OrganizationInput,
  deps: ProvisioningDeps,
): Promise<CreatedOrganization & { readonly isCoreNotified: boolean }> => {
  const made = await insert(input, deps)
  if (made === undefined)
    throw new AppError('record_not_unique', { detail: `There is an organization '${input.slug}' already.` })
  try {
    await notifyCore(made, deps)
    return { ...made, isCoreNotified: true }
  } catch (error) {
    if (isCoreUnavailable(error)) return { ...made, isCoreNotified: false }
    throw error
  }
}

/** The organization with this slug, created unless it is there. */
export const putOrganization = async (
  input: OrganizationInput,
  deps: ProvisioningDeps,
): Promise<CreatedOrganization> => {
  const organization = (await insert(input, deps)) ?? (await findOrganization(input.slug, deps))
  if (organization === undefined)
    throw new Error(`organization '${input.slug}' vanished while it was created`)
  await notifyCore(organization, deps)
  return organization
}
