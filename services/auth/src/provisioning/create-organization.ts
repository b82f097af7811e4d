import { appendAudit } from '../store/audit-store.ts'
import { toPublicId } from '../store/public-ids.ts'
import { nameFault, requireFaultless, slugFault } from './input-rules.ts'
import type { ProvisioningDeps } from './provisioning.ts'

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

export const createOrganization = async (
  input: OrganizationInput,
  deps: ProvisioningDeps,
): Promise<CreatedOrganization> => {
  requireFaultless({ slug: slugFault(input.slug), name: nameFault(input.name) })
  const { slug, name, isEnterprise = false, region = 'eu-west-1' } = input
  const at = deps.clock.now()
  await deps.database.$transaction(async (transaction) => {
    const [row] = await transaction.organization.createManyAndReturn({
      data: [{ slug, name, isEnterprise, region, createdAt: at }],
      skipDuplicates: true,
    })
    if (row === undefined) return
    const id = toPublicId('organizations', row.id)
    const subject = { type: 'organizations', id }
    const event = { actor: deps.actor, action: 'organization.create', subject, organizationId: id } as const
    await appendAudit(transaction, { ...event, details: { slug, name } }, at)
  })
  const organization = await findOrganization(slug, deps)
  if (organization === undefined) throw new Error(`organization '${slug}' vanished while it was created`)
  for (const mode of ['test', 'live'] as const) {
    const environment = { organizationId: organization.id, mode }
    await deps.core.putEnvironment(environment, { slug, name: organization.name })
  }
  return organization
}
