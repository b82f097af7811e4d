/** The whole auth service in process: a database of its own, the fake core, a clock that stands still. */
import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createFakeClock, type FakeClock } from '@merx/testing/fake-clock'
import { freshDatabase } from '@merx/testing/fresh-database'
import {
  inProcessClient,
  type InProcessClient,
  type InProcessResponse,
} from '@merx/testing/in-process-client'
import { createRecordingLogger, type RecordingLogger } from '@merx/testing/silent-logger'
import { compose, type AuthOverrides, type AuthSystem } from '../../src/compose.ts'
import { loadAuthConfig } from '../../src/config.ts'
import { migrationsFolder } from '../../src/migrate.ts'
import type { CreatedCredential } from '../../src/provisioning/create-credential.ts'
import { startFakeCore, type FakeCore } from './fake-core.ts'

export const SERVICE_KEY = 'Zq3v9Lw2Xr7Tn5Kp'

export interface TestCredentials {
  readonly salesChannel: CreatedCredential
  readonly integration: CreatedCredential
  readonly integrationLive: CreatedCredential
  readonly webapp: CreatedCredential
}

export interface TestSystem {
  readonly auth: AuthSystem
  readonly api: InProcessClient
  readonly internal: InProcessClient
  readonly core: FakeCore
  readonly clock: FakeClock
  readonly logs: RecordingLogger
  readonly databaseUrl: string
  readonly organizationId: string
  readonly adminRoleId: string
  readonly userId: string
  readonly credentials: TestCredentials
  /** POST /oauth/token with a JSON body. */
  token(body: Record<string, unknown>, headers?: Record<string, string>): Promise<InProcessResponse>
  /** Another replica, or the same one after a restart. */
  another(overrides?: AuthOverrides): Promise<AuthSystem>
  close(): Promise<void>
}

export const REDIRECT_URI = 'https://app.example/callback'

const provision = async ({ provisioning }: AuthSystem) => {
  const { id: organizationId } = await provisioning.createOrganization({ slug: 'shop', name: 'The Shop' })
  const { id: adminRoleId } = await provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
  const { id: userId } = await provisioning.createUser({
    organizationId,
    email: 'Owner@Shop.example',
    password: 'a good password',
    roleId: adminRoleId,
    isOwner: true,
  })
  const make: typeof provisioning.createCredential = (input) => provisioning.createCredential(input)
  const credentials: TestCredentials = {
    salesChannel: await make({ organizationId, mode: 'test', kind: 'sales_channel', name: 'Storefront' }),
    integration: await make({
      organizationId,
      mode: 'test',
      kind: 'integration',
      name: 'ERP',
      roleId: adminRoleId,
    }),
    integrationLive: await make({
      organizationId,
      mode: 'live',
      kind: 'integration',
      name: 'ERP',
      roleId: adminRoleId,
    }),
    webapp: await make({
      organizationId,
      mode: 'test',
      kind: 'webapp',
      name: 'Dashboard',
      redirectUri: REDIRECT_URI,
    }),
  }
  return { organizationId, adminRoleId, userId, credentials }
}

export interface TestSystemOptions {
  readonly name: string
  /** Multiplies the rate budgets; a large number unless the test is about them. */
  readonly rateLimitScale?: number
  /** Default: in this process, shared by all replicas. `own`: as the environment says, by REDIS_URL. */
  readonly keyValue?: ((clock: FakeClock) => KeyValue) | 'own'
  readonly env?: Record<string, string>
}

const hotStateOf = ({ keyValue }: TestSystemOptions, clock: FakeClock): Pick<AuthOverrides, 'keyValue'> => {
  if (keyValue === 'own') return {}
  return { keyValue: keyValue?.(clock) ?? createMemoryKeyValue({ clock }) }
}

export const startTestSystem = async (options: TestSystemOptions): Promise<TestSystem> => {
  const database = await freshDatabase({ name: options.name, migrations: migrationsFolder })
  const core = await startFakeCore()
  const clock = createFakeClock('2026-01-15T12:00:00Z')
  const logs = createRecordingLogger()
  const config = loadAuthConfig({
    AUTH_DATABASE_URL: database.url,
    CORE_INTERNAL_URL: core.url,
    SERVICE_KEY,
    SIGNING_KEY_BITS: '2048',
    RATE_LIMIT_SCALE: String(options.rateLimitScale ?? 100_000),
    ...options.env,
  })
  const hotState = hotStateOf(options, clock)
  /** A test may close one before the end. */
  const open = new Set<AuthSystem>()
  const another = async (overrides: AuthOverrides = {}): Promise<AuthSystem> => {
    const composed = await compose(config, { log: logs.log, clock, ...hotState, ...overrides })
    const close = async (): Promise<void> => {
      if (open.delete(system)) await composed.close()
    }
    const system: AuthSystem = { ...composed, close }
    open.add(system)
    await system.start()
    return system
  }
  const close = async (): Promise<void> => {
    for (const system of [...open].reverse()) await system.close()
    await core.close()
    await database.drop()
  }
  try {
    const auth = await another()
    const api = inProcessClient(auth.app)
    const token: TestSystem['token'] = (body, headers = {}) => api.post('/oauth/token', { body, headers })
    const internal = inProcessClient(auth.internalApp)
    const provisioned = await provision(auth)
    return {
      auth,
      api,
      internal,
      core,
      clock,
      logs,
      databaseUrl: database.url,
      ...provisioned,
      token,
      another,
      close,
    }
  } catch (error) {
    await close() // or open connections would keep Jest from ending
    throw error
  }
}

export const clientOf = ({ clientId, clientSecret }: CreatedCredential) => ({
  client_id: clientId,
  client_secret: clientSecret,
})

/** The payload of a JWT, read as the vendor's SDK reads it: as plain base64. */
export const claimsOf = (response: InProcessResponse): Record<string, unknown> => {
  const { access_token: token } = response.body as { access_token: string }
  return JSON.parse(atob(token.split('.')[1] ?? '')) as Record<string, unknown>
}

/** As js-auth makes it; nobody checks the signature. */
export const assertionOf = (claims: Record<string, unknown>): string =>
  [{ alg: 'HS512', typ: 'JWT' }, { 'https://commercelayer.io/claims': claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.') + '.c2lnbmF0dXJl'

/** The first entry of `errors`, with the keys of RFC 6749. */
export const oauthErrorOf = (response: InProcessResponse) =>
  response.body as {
    error: string
    error_description: string
    errors: { title: string; detail: string; code: string; status: number; meta?: Record<string, unknown> }[]
  }
