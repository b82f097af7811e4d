/** Core in process, on a database of its own, with real tokens that a real verifier accepts. */
import type { Role } from '@merx/access-token/held-access-state'
import { createVerifier } from '@merx/access-token/verifier'
import { encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPool } from '@merx/postgres/pool'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { FakeClock } from '@merx/testing/fake-clock'
import { freshDatabase } from '@merx/testing/fresh-database'
import { inProcessClient } from '@merx/testing/in-process-client'
import type { InProcessClient, InProcessResponse } from '@merx/testing/in-process-client'
import { createTokenMint } from '@merx/testing/mint-token'
import { silentLogger } from '@merx/testing/silent-logger'
import type { Pool } from 'pg'
import { compose } from '../../src/compose.ts'
import type { CoreOverrides, CoreSystem } from '../../src/compose.ts'
import { loadCoreConfig } from '../../src/config.ts'
import { migrationsFolder } from '../../src/migrate.ts'
import { seedShop } from './seed-shop.ts'

export const MEDIA_TYPE = 'application/vnd.api+json'
export const NOW = '2026-11-20T12:00:00.000Z'

export interface TestCore {
  readonly client: InProcessClient
  readonly app: CoreSystem['app']
  readonly pool: Pool
  readonly databaseUrl: string
  readonly clock: FakeClock
  readonly tokens: Tokens
  /** Role id → what it may do now. */
  readonly roles: Map<string, Role>
  /** Token ids. */
  readonly revoked: Set<string>
  readonly jobs: CoreSystem['jobs']
  readonly webhooks: CoreSystem['webhooks']
  readonly endStreams: CoreSystem['endStreams']
  /** What runs in the background; without it nothing does. */
  readonly start: CoreSystem['start']
  get(path: string, token: string, headers?: Readonly<Record<string, string>>): Promise<InProcessResponse>
  send(
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<InProcessResponse>
  /** Another process of core on the same database; it closes with this one. */
  replica(): Promise<Pick<TestCore, 'client' | 'get' | 'send'>>
  close(): Promise<void>
}

export type Mint = (claims?: Readonly<Record<string, unknown>>) => Promise<string>

export interface Tokens {
  readonly mint: Mint
  readonly admin: string
  readonly readOnly: string
  readonly otherOrganization: string
  readonly live: string
}

const SALES_CHANNEL = {
  id: 'aPPsaLesch',
  client_id: 'sales',
  kind: 'sales_channel',
  public: true,
  confidential: false,
}

/** Claims of a sales channel with these markets in scope. */
export const salesChannel = (markets: readonly number[], more: Readonly<Record<string, unknown>> = {}) => ({
  application: SALES_CHANNEL,
  role: undefined,
  market: marketClaim(markets),
  scope: 'market:id:whatever',
  ...more,
})

/** Claims of a customer of a sales channel. */
export const customer = (number: number, markets: readonly number[]) =>
  salesChannel(markets, { owner: { id: encodeId('customers', number), type: 'Customer' } })

export const marketClaim = (markets: readonly number[]) => ({
  id: markets.map((number) => encodeId('markets', number)),
  stock_location_ids: [],
  geocoder_id: null,
  allows_external_prices: false,
})

export const storeClaim = (number: number) => ({ id: encodeId('stores', number) })

export const openCore = async (
  name: string,
  overrides: CoreOverrides = {},
  env: Record<string, string> = {},
  migrations: string = migrationsFolder,
): Promise<TestCore> => {
  const database = await freshDatabase({ name, migrations })
  const clock = createFakeClock(NOW)
  const mint = await createTokenMint({ clock })
  const config = loadCoreConfig({
    CORE_DATABASE_URL: database.url,
    SERVICE_KEY: 'a-service-key-for-tests',
    ID_SECRET: TEST_ID_SECRET,
    RATE_LIMIT_SCALE: '1000',
    PUBLIC_BASE_URL: 'http://localhost:8080',
    ...env,
  })
  const roles = new Map<string, Role>()
  const revoked = new Set<string>()
  const verifier = createVerifier({
    keySet: mint.keySet,
    issuer: mint.issuer,
    clock,
    accessState: { isLoaded: true, isRevoked: (id) => revoked.has(id), roleOf: (id) => roles.get(id) },
  })
  const composeCore = () => compose(config, { log: silentLogger, clock, verifier, ...overrides })
  const core = await composeCore()
  const replicas: CoreSystem[] = []
  const pool = createPool({
    url: database.url,
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    applicationName: 'test',
  })
  await seedShop(pool)
  const client = inProcessClient(core.app)
  return {
    client,
    app: core.app,
    pool,
    databaseUrl: database.url,
    clock,
    roles,
    revoked,
    jobs: core.jobs,
    webhooks: core.webhooks,
    endStreams: () => core.endStreams(),
    start: () => core.start(),
    tokens: await mintTokens((claims) => mint.mint(claims)),
    ...callsOf(client),
    replica: async () => {
      const replica = await composeCore()
      replicas.push(replica)
      const other = inProcessClient(replica.app)
      return { client: other, ...callsOf(other) }
    },
    close: async () => {
      for (const system of [...replicas, core]) await system.close()
      await pool.end()
      await database.drop()
    },
  }
}

const callsOf = (client: InProcessClient): Pick<TestCore, 'get' | 'send'> => ({
  get: (path, token, headers = {}) =>
    client.get(path, { token, headers: { Accept: MEDIA_TYPE, ...headers } }),
  send: (method, path, token, body, headers = {}) =>
    client.request(method, path, {
      token,
      headers: { Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
})

const mintTokens = async (mint: Mint): Promise<Tokens> => ({
  mint,
  admin: await mint(),
  readOnly: await mint({ role: { id: 'rZbnXFNpbw', kind: 'read_only' } }),
  otherOrganization: await mint({
    organization: { id: 'oRgOtheRzz', slug: 'the-red-brand', enterprise: true, region: 'eu-west-1' },
  }),
  live: await mint({ test: false }),
})

export interface ResourceObject {
  readonly id: string
  readonly type: string
  readonly links: { readonly self: string }
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly links?: unknown; readonly data?: unknown }>>
  readonly meta: unknown
}

export interface CollectionBody {
  readonly data: readonly ResourceObject[]
  readonly included?: readonly ResourceObject[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
  readonly links: Readonly<Record<string, string>>
}

export interface SingleBody {
  readonly data: ResourceObject
  readonly included?: readonly ResourceObject[]
}

/** The body of a list; fails the test with the errors when it is none. */
export const listOf = ({ status, body, text }: InProcessResponse): CollectionBody => {
  if (status !== 200) throw new Error(`expected a collection, got ${status}: ${text}`)
  return body as CollectionBody
}

export const singleOf = ({ status, body, text }: InProcessResponse): SingleBody => {
  if (status !== 200 && status !== 201) throw new Error(`expected a resource, got ${status}: ${text}`)
  return body as SingleBody
}

/** The values of an attribute over a list. */
export const pluck = ({ data }: CollectionBody, name: string): readonly unknown[] =>
  data.map(({ attributes }) => attributes[name])

export interface SeenError {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

export const errorsOf = ({ body }: InProcessResponse): readonly SeenError[] =>
  (body as { readonly errors: readonly SeenError[] }).errors
