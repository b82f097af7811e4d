/** The two organizations of the demo, with a role and a credential of every kind, made through auth's provisioning. */
import type { Provisioning } from '@merx/auth/provisioning/provisioning'
import { DEMO_MODES } from './demo-file.ts'
import type { DemoCredential, DemoCredentials, DemoMode, DemoOrganization } from './demo-file.ts'
import type { DemoUser } from './demo-users.ts'

export interface DemoIdentity {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly credentials: Readonly<Record<DemoMode, DemoCredentials>>
}

const ORGANIZATIONS = [
  { slug: 'aurora-home', name: 'Aurora Home' },
  { slug: 'borealis-sports', name: 'Borealis Sports' },
] as const

export const DEMO_SLUGS: readonly string[] = ORGANIZATIONS.map(({ slug }) => slug)

const REDIRECT_URI = 'https://example.com/callback'

/** Reads everything an order is about and changes orders only: enough to show that a role decides. */
const READ = ['read'] as const
const CUSTOM_PERMISSIONS = [
  ...[
    'skus',
    'prices',
    'stock_items',
    'markets',
    'stores',
    'stock_locations',
    'price_lists',
    'inventory_models',
  ].map((subject) => ({ subject, actions: READ })),
  ...[
    'customers',
    'customer_groups',
    'line_items',
    'addresses',
    'payment_methods',
    'shipping_categories',
  ].map((subject) => ({ subject, actions: READ })),
  { subject: 'orders', actions: ['create', 'read', 'update'] as const },
]

/** Organizations, roles and users that exist already are kept, and so are the credentials of `known`. */
export const provisionDemo = async (
  provisioning: Provisioning,
  users: readonly DemoUser[],
  known: readonly DemoOrganization[],
): Promise<readonly DemoIdentity[]> => {
  const identities: DemoIdentity[] = []
  for (const { slug, name } of ORGANIZATIONS) {
    const environments = known.find((organization) => organization.slug === slug)?.environments
    const { id: organizationId } = await provisioning.createOrganization({ slug, name })
    const roles = await createRoles(provisioning, organizationId)
    for (const { email, password } of users.filter((user) => user.organization === slug)) {
      await provisioning.createUser({
        organizationId,
        email,
        password,
        roleId: roles.admin,
        firstName: 'Demo',
        lastName: 'Owner',
        isOwner: true,
      })
    }
    const [test, live] = await Promise.all(
      DEMO_MODES.map(
        async (mode) =>
          environments?.[mode].credentials ??
          (await createCredentials(provisioning, { organizationId, mode, roles })),
      ),
    )
    if (test === undefined || live === undefined)
      throw new Error('an environment of the demo has no credentials')
    identities.push({ id: organizationId, slug, name, credentials: { test, live } })
  }
  return identities
}

type Roles = Awaited<ReturnType<typeof createRoles>>

const createRoles = async (provisioning: Provisioning, organizationId: string) => {
  const admin = await provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
  const readOnly = await provisioning.createRole({ organizationId, name: 'Read only', kind: 'read_only' })
  const custom = await provisioning.createRole({
    organizationId,
    name: 'Order desk',
    kind: 'custom',
    permissions: CUSTOM_PERMISSIONS,
  })
  return { admin: admin.id, readOnly: readOnly.id, custom: custom.id }
}

const createCredentials = async (
  provisioning: Provisioning,
  environment: { organizationId: string; mode: DemoMode; roles: Roles },
): Promise<DemoCredentials> => {
  const { organizationId, mode, roles } = environment
  const create = async (
    kind: 'sales_channel' | 'integration' | 'webapp',
    name: string,
    extra: { roleId?: string; redirectUri?: string } = {},
  ): Promise<DemoCredential> => {
    const made = await provisioning.createCredential({ organizationId, mode, kind, name, ...extra })
    return { client_id: made.clientId, client_secret: made.clientSecret }
  }
  return {
    sales_channel: await create('sales_channel', 'Storefront'),
    integration: await create('integration', 'Back office', { roleId: roles.admin }),
    integration_read_only: await create('integration', 'Reporting', { roleId: roles.readOnly }),
    integration_custom: await create('integration', 'Order desk', { roleId: roles.custom }),
    webapp: {
      ...(await create('webapp', 'Dashboard', { redirectUri: REDIRECT_URI })),
      redirect_uri: REDIRECT_URI,
    },
  }
}
