/** One organization with a credential of each kind, and as many integrations as asked for. */
import type { CreatedCredential } from '../src/provisioning/create-credential.ts'
import type { Provisioning } from '../src/provisioning/provisioning.ts'

export interface LoadCredentials {
  readonly integrations: readonly CreatedCredential[]
  readonly salesChannel: CreatedCredential
  readonly webapp: CreatedCredential
  readonly userId: string
}

export const provisionForLoad = async (
  provisioning: Provisioning,
  integrationCount: number,
): Promise<LoadCredentials> => {
  const { id: organizationId } = await provisioning.createOrganization({ slug: 'load', name: 'Load' })
  const { id: roleId } = await provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
  const { id: userId } = await provisioning.createUser({
    organizationId,
    email: 'owner@example.com',
    password: 'correct horse battery staple',
    roleId,
    isOwner: true,
  })
  const shared = { organizationId, mode: 'live' } as const
  const integrations: CreatedCredential[] = []
  for (let number = 1; number <= integrationCount; number += 1) {
    integrations.push(
      await provisioning.createCredential({ ...shared, kind: 'integration', name: `ERP ${number}`, roleId }),
    )
  }
  return {
    integrations,
    salesChannel: await provisioning.createCredential({ ...shared, kind: 'sales_channel', name: 'Shop' }),
    webapp: await provisioning.createCredential({
      ...shared,
      kind: 'webapp',
      name: 'Dashboard',
      redirectUri: 'https://app.example.com/callback',
    }),
    userId,
  }
}
