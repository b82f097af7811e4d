/** What ends a token that two replicas have cached for a second: real PostgreSQL and Redis. */
import { createRedisKeyValue } from '@merx/key-value/redis-key-value'
import { createPool } from '@merx/postgres/pool'
import { eventually } from '@merx/testing/eventually'
import { freshRedis, type FreshRedis } from '@merx/testing/fresh-redis'
import {
  inProcessClient,
  type InProcessClient,
  type InProcessResponse,
} from '@merx/testing/in-process-client'
import {
  disableCredential,
  rotateSecret,
  updateCredential,
} from '../../src/provisioning/change-credential.ts'
import type { CreatedCredential } from '../../src/provisioning/create-credential.ts'
import type { ProvisioningDeps } from '../../src/provisioning/provisioning-deps.ts'
import { createDatabase } from '../../src/store/prisma-client.ts'
import { clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let redis: FreshRedis
let system: TestSystem
let deps: ProvisioningDeps
let replicas: readonly [InProcessClient, InProcessClient]
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  redis = await freshRedis()
  closers.push(() => redis.drop())
  system = await startTestSystem({
    name: 'cached_tokens',
    keyValue: () => createRedisKeyValue({ redis: redis.client, prefix: '' }),
  })
  closers.push(() => system.close())
  replicas = [system.api, inProcessClient((await system.another()).app)]
  const pool = createPool({
    url: system.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  const database = createDatabase(pool)
  closers.push(
    () => pool.end(),
    () => database.$disconnect(),
  )
  const core = { putEnvironment: () => Promise.resolve(), listRecordTypes: () => Promise.resolve([]) }
  const actor = { kind: 'operator', name: 'ann', origin: 'laptop' } as const
  // What another process does: these replicas learn of it from the database alone.
  deps = { database, core, clock: system.clock, actor }
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const createClient = (): Promise<CreatedCredential> =>
  system.auth.provisioning.createCredential({
    organizationId: system.organizationId,
    mode: 'test',
    kind: 'integration',
    name: 'ERP',
    roleId: system.adminRoleId,
  })

const ask = (api: InProcessClient, client: CreatedCredential, scope?: string): Promise<InProcessResponse> =>
  api.post('/oauth/token', { body: { grant_type: 'client_credentials', ...clientOf(client), scope } })

const tokenOf = async (api: InProcessClient, client: CreatedCredential): Promise<string> => {
  const { status, body } = await ask(api, client)
  if (status !== 200) throw new Error(`no token: ${status}`)
  return (body as { access_token: string }).access_token
}

/** A client whose one token both replicas have cached. */
const cacheOnBoth = async (): Promise<{ client: CreatedCredential; token: string }> => {
  const client = await createClient()
  const token = await tokenOf(replicas[0], client)
  for (const api of [...replicas, ...replicas]) expect(await tokenOf(api, client)).toBe(token)
  return { client, token }
}

const revoke = async (api: InProcessClient, client: CreatedCredential, token: string): Promise<void> => {
  expect((await api.post('/oauth/revoke', { body: { ...clientOf(client), token } })).status).toBe(200)
}

const onBoth = (isTrue: (api: InProcessClient) => Promise<boolean>) => async (): Promise<boolean> =>
  (await Promise.all(replicas.map(isTrue))).every(Boolean)

describe('a cached token', () => {
  it('is not given again by the replica that revoked it, from its answer on', async () => {
    const { client, token } = await cacheOnBoth()
    await revoke(replicas[0], client, token)
    expect(await tokenOf(replicas[0], client)).not.toBe(token)
  })

  it('is not given again by the other replica once it received the revocation, and both give one token', async () => {
    const { client, token } = await cacheOnBoth()
    await revoke(replicas[0], client, token)
    await eventually(async () => (await tokenOf(replicas[1], client)) !== token)
    const after = await tokenOf(replicas[0], client)
    for (let asked = 0; asked < 20; asked += 1)
      for (const api of replicas) expect(await tokenOf(api, client)).toBe(after)
  })

  it('is not given again although the connection that receives revocations was cut before', async () => {
    const { client, token } = await cacheOnBoth()
    await runSql(
      system.databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'auth-listener' AND datname = current_database()`,
    )
    await revoke(replicas[0], client, token)
    await eventually(async () => (await tokenOf(replicas[1], client)) !== token)
  })

  it('is not given again although the replica is never notified of the revocation', async () => {
    const { client, token } = await cacheOnBoth()
    // As `revoke` does it, without a notification.
    await runSql(
      system.databaseUrl,
      `WITH next AS (UPDATE access_state SET version = version + 1 RETURNING version)
       INSERT INTO revocations (token_id, expires_at, state_version, created_at)
       SELECT $1::uuid, '2027-01-01', version, now() FROM next`,
      [(JSON.parse(atob(token.split('.')[1] ?? '')) as { jti: string }).jti],
    )
    await eventually(onBoth(async (api) => (await tokenOf(api, client)) !== token))
  })

  it('does not help a client that was disabled', async () => {
    const { client } = await cacheOnBoth()
    await disableCredential(client.id, deps)
    await eventually(onBoth(async (api) => (await ask(api, client)).status === 401))
  })

  it('is given for the new secret, and no longer for the old one', async () => {
    const { client, token } = await cacheOnBoth()
    const { clientSecret } = await rotateSecret(client.id, deps)
    await eventually(onBoth(async (api) => (await ask(api, client)).status === 401))
    for (const api of replicas) expect(await tokenOf(api, { ...client, clientSecret })).toBe(token)
  })

  it.each([
    ['role', async () => ({ roleId: (await createReader()).id })],
    ['lifetime', async () => ({ expiresIn: 10_000 })],
  ])('makes room for another once the client has another %s', async (_what, changesOf) => {
    const { client, token } = await cacheOnBoth()
    await updateCredential(client.id, await changesOf(), deps)
    await eventually(onBoth(async (api) => (await tokenOf(api, client)) !== token))
  })

  it('does not help once a market in its scope is disabled', async () => {
    const client = await createClient()
    const scope = 'market:code:usa'
    for (const api of [...replicas, ...replicas]) expect((await ask(api, client, scope)).status).toBe(200)
    const market = system.core.shop.markets.find(({ code }) => code === 'usa')
    if (market === undefined) throw new Error('the shop has no such market')
    market.is_disabled = true
    system.clock.advance(1) // what is known of a market is a second old at most
    for (const api of replicas) expect((await ask(api, client, scope)).status).toBe(400)
    market.is_disabled = false
  })

  it('is followed by one token of both replicas after FLUSHALL', async () => {
    const { client, token } = await cacheOnBoth()
    const keys = await redis.client.keys(`${redis.prefix}*`)
    await redis.client.unlink(...keys.map((key) => key.slice(redis.prefix.length)))
    system.clock.advance(1) // a token is cached for less than a second
    const after = await tokenOf(replicas[1], client)
    expect(after).not.toBe(token)
    expect(await tokenOf(replicas[0], client)).toBe(after)
  })
})

const createReader = () =>
  system.auth.provisioning.createRole({
    organizationId: system.organizationId,
    name: 'Reader',
    kind: 'read_only',
  })
