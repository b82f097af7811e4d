/** What a service sees of changed roles and credentials: two replicas of auth, each followed by a service. */
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '@merx/access-token/caller'
import { createPool } from '@merx/postgres/pool'
import { eventually } from '@merx/testing/eventually'
import type { InProcessClient } from '@merx/testing/in-process-client'
import {
  deleteCredential,
  disableCredential,
  enableCredential,
  rotateSecret,
  updateCredential,
} from '../../src/provisioning/change-credential.ts'
import { updateRole } from '../../src/provisioning/change-role.ts'
import { disableUser, enableUser, updateUser } from '../../src/provisioning/change-user.ts'
import type { CreatedCredential } from '../../src/provisioning/create-credential.ts'
import type { ProvisioningDeps } from '../../src/provisioning/provisioning-deps.ts'
import { listAudit } from '../../src/store/audit-store.ts'
import { createDatabase, type Database } from '../../src/store/prisma-client.ts'
import { assertionOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { openFollower, type Follower } from '../support/open-follower.ts'
import { runSql } from '../support/sql.ts'
import { untilSomebodyWaits } from '../support/wait-for-lock.ts'

let system: TestSystem
let database: Database
let deps: ProvisioningDeps
let followers: Follower[]
const closers: (() => Promise<unknown>)[] = []

const open = async (): Promise<Follower> => {
  const follower = await openFollower(system)
  closers.push(follower.close)
  return follower
}

beforeAll(async () => {
  system = await startTestSystem({ name: 'access_changes' })
  closers.push(() => system.close())
  const pool = createPool({
    url: system.databaseUrl,
    maxConnections: 4,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
  closers.push(
    () => pool.end(),
    () => database.$disconnect(),
  )
  const core = { putEnvironment: () => Promise.resolve(), listRecordTypes: () => Promise.resolve([]) }
  const actor = { kind: 'operator', name: 'ann', origin: 'laptop' } as const
  deps = { database, core, clock: system.clock, actor }
  followers = [await open(), await open()]
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Waits until it holds for both services. How soon is measured by bench/auth/revocation.bench.ts. */
const onBoth = async (isTrue: (follower: Follower) => Promise<boolean>): Promise<void> => {
  for (const follower of followers) await eventually(() => isTrue(follower))
}

const verify = ({ verifier }: Follower, token: string): Promise<Caller | undefined> =>
  verifier.verify(token).catch(() => undefined)

const accepts = (token: string) => async (follower: Follower) => (await verify(follower, token)) !== undefined
const refuses = (token: string) => async (follower: Follower) => (await verify(follower, token)) === undefined

const integration = async (roleId = system.adminRoleId) =>
  system.auth.provisioning.createCredential({
    organizationId: system.organizationId,
    mode: 'test',
    kind: 'integration',
    name: 'ERP',
    roleId,
  })

const ask = (credential: CreatedCredential, api = followers[0]?.api ?? system.api) =>
  api.post('/oauth/token', { body: { grant_type: 'client_credentials', ...clientOf(credential) } })

const tokenOf = async (credential: CreatedCredential, api?: InProcessClient): Promise<string> => {
  const { status, body } = await ask(credential, api)
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`)
  return (body as { access_token: string }).access_token
}

const customRole = (name: string) =>
  system.auth.provisioning.createRole({
    organizationId: system.organizationId,
    name,
    kind: 'custom',
    permissions: [{ subject: 'skus', actions: ['read'] }],
  })

describe('a role', () => {
  it('that changes, changes what living tokens may do in every service', async () => {
    const { id: roleId } = await customRole('Desk')
    const token = await tokenOf(await integration(roleId))
    await onBoth(accepts(token))
    const reference = { organizationId: system.organizationId, roleId }
    const restrictions = { rows: { all: { status_eq: 'placed' } }, fields: { read: ['number'] } }
    const permission = { subject: 'orders', actions: ['read', 'update'], restrictions } as const
    await updateRole(reference, { permissions: [permission] }, deps)
    await onBoth(async (follower) =>
      isDeepStrictEqual((await verify(follower, token))?.role?.permissions, [permission]),
    )
  })

  it('that a credential gets instead of another acts through its living tokens', async () => {
    const { id: roleId } = await customRole('First')
    const credential = await integration(roleId)
    const token = await tokenOf(credential)
    await updateCredential(credential.id, { roleId: system.adminRoleId }, deps)
    const { body: info } = await system.api.get('/oauth/tokeninfo', { token })
    expect(info).toMatchObject({ role: { id: system.adminRoleId, kind: 'admin' } })
    await onBoth(async (follower) => (await verify(follower, token))?.role?.kind === 'admin')
  })

  it('that a user gets acts through the tokens that speak for the user', async () => {
    const { id: roleId } = await customRole('Clerk')
    const { body } = await system.api.post('/oauth/token', {
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        ...clientOf(system.credentials.webapp),
        assertion: assertionOf({ owner: { type: 'User', id: system.userId } }),
      },
    })
    const { access_token: token } = body as { access_token: string }
    const reference = { organizationId: system.organizationId, user: 'owner@shop.example' }
    await updateUser(reference, { roleId }, deps)
    await onBoth(async (follower) => (await verify(follower, token))?.role?.id === roleId)
    await disableUser(reference, deps)
    await onBoth(refuses(token))
    await enableUser(reference, deps)
    await onBoth(refuses(token))
  })
})

describe('a credential', () => {
  it('that is disabled gets no token from any replica, and every service refuses those it has', async () => {
    const credential = await integration()
    const token = await tokenOf(credential)
    await onBoth(accepts(token))
    await disableCredential(credential.id, deps)
    await onBoth(refuses(token))
    for (const { api } of followers) expect((await ask(credential, api)).status).toBe(401)
  })

  it('that is enabled again gets a new token, while the ones from before stay refused', async () => {
    const credential = await integration()
    const before = await tokenOf(credential)
    await disableCredential(credential.id, deps)
    await onBoth(refuses(before))
    system.clock.advance(2)
    await enableCredential(credential.id, deps)
    await onBoth(async ({ api }) => (await ask(credential, api)).status === 200)
    const after = await tokenOf(credential)
    expect(after).not.toBe(before)
    await onBoth(accepts(after))
    await onBoth(refuses(before))
    expect(await tokenOf(credential)).toBe(after)
  })

  it('that is disabled and enabled within one second loses every token of before, and gets new ones at once', async () => {
    const credential = await integration()
    const old = await tokenOf(credential)
    await disableCredential(credential.id, deps)
    await enableCredential(credential.id, deps) // the clock stands still
    await onBoth(async (follower) => (await ask(credential, follower.api)).status === 200)
    for (const follower of followers) {
      const { body } = await ask(credential, follower.api)
      const answer = body as { access_token: string; expires_in: number; created_at: number }
      expect(answer.access_token).not.toBe(old)
      expect(answer.expires_in).toBe(7_200)
      expect(answer.created_at - Math.floor(system.clock.now().getTime() / 1000)).toBe(1)
      await onBoth(accepts(answer.access_token))
    }
    await onBoth(refuses(old))
  })

  it('that is disabled loses its refresh tokens for good', async () => {
    const { salesChannel } = system.credentials
    const signIn = await system.token({
      grant_type: 'password',
      client_id: salesChannel.clientId,
      username: 'ann@example.com',
      password: 'correct horse',
      scope: 'market:code:europe',
    })
    const { refresh_token: refreshToken } = signIn.body as { refresh_token: string }
    await disableCredential(salesChannel.id, deps)
    await enableCredential(salesChannel.id, deps)
    system.clock.advance(2)
    const answer = await system.token({
      grant_type: 'refresh_token',
      client_id: salesChannel.clientId,
      refresh_token: refreshToken,
    })
    expect(answer.body).toMatchObject({ error: 'invalid_grant' })
  })

  it('that is deleted is gone, and its tokens are refused, also by a service that starts later', async () => {
    const credential = await integration()
    const token = await tokenOf(credential)
    await deleteCredential(credential.id, deps)
    await onBoth(refuses(token))
    expect((await ask(credential)).status).toBe(401)
    expect(await refuses(token)(await open())).toBe(true)
  })

  it('whose secret is rotated is refused with the old one at once and keeps its tokens', async () => {
    const credential = await integration()
    const token = await tokenOf(credential)
    const { clientSecret } = await rotateSecret(credential.id, deps)
    await onBoth(async ({ api }) => (await ask(credential, api)).status === 401)
    expect(await tokenOf({ ...credential, clientSecret })).toBe(token)
    await onBoth(accepts(token))
  })

  it('gets tokens of its new lifetime at once', async () => {
    const credential = await integration()
    await tokenOf(credential)
    await updateCredential(credential.id, { expiresIn: 86_400 }, deps)
    await onBoth(async ({ api }) => {
      const { expires_in: seconds } = (await ask(credential, api)).body as { expires_in: number }
      return seconds === 86_400
    })
  })
})

describe('a sign-in that has its token and begins to keep its refresh token', () => {
  const grantOf = (clientId: string, grant: Record<string, string>) =>
    system.token({ client_id: clientId, ...grant })

  /** Ends the credential at that moment. */
  const signInWhile = async (end: (id: string, within: ProvisioningDeps) => Promise<unknown>) => {
    const { organizationId } = system
    const shop = { organizationId, mode: 'test', kind: 'sales_channel', name: 'Shop' } as const
    const { id, clientId } = await system.auth.provisioning.createCredential(shop)
    const login = { username: 'ann@example.com', password: 'correct horse', scope: 'market:code:europe' }
    const { answer } = await database.$transaction(async (within) => {
      await within.$executeRaw`SELECT 1 FROM credentials WHERE client_id = ${clientId} FOR UPDATE`
      const asked = grantOf(clientId, { grant_type: 'password', ...login })
      await untilSomebodyWaits(system)
      await end(id, { ...deps, within })
      return { answer: asked } // not waited for in here
    })
    return { id, clientId, signedIn: await answer }
  }

  it('has nothing left of it when its credential, disabled meanwhile, is enabled again', async () => {
    const { id, clientId, signedIn } = await signInWhile(disableCredential)
    const { refresh_token: refreshToken = 'none' } = signedIn.body as { refresh_token?: string }
    await enableCredential(id, deps)
    system.clock.advance(2)
    const refreshed = await grantOf(clientId, { grant_type: 'refresh_token', refresh_token: refreshToken })
    expect(refreshed.body).toMatchObject({ error: 'invalid_grant' })
  })

  it('is refused as of nobody when its credential is deleted meanwhile', async () => {
    const { signedIn } = await signInWhile(deleteCredential)
    expect([signedIn.status, signedIn.body]).toMatchObject([401, { error: 'invalid_client' }])
  })
})

describe('the audit log', () => {
  it('records who did what, to what, from where and when', async () => {
    const credential = await integration()
    await disableCredential(credential.id, deps)
    await disableCredential(credential.id, deps)
    const events = await listAudit(database, { subjectId: credential.id, limit: 10 })
    expect(events.map(({ action, actor }) => [action, actor.name, actor.origin])).toEqual([
      ['credential.disable', 'ann', 'laptop'],
      ['credential.create', 'auth', 'auth'],
    ])
    expect(events[0]).toMatchObject({
      occurredAt: system.clock.now(),
      organizationId: system.organizationId,
      details: { client_id: credential.clientId, name: 'ERP' },
    })
  })

  it('records revocations by clients, with their address and request', async () => {
    const { integration: client } = system.credentials
    const { access_token: token } = (
      await system.token({
        grant_type: 'client_credentials',
        ...clientOf(client),
      })
    ).body as { access_token: string }
    for (let count = 0; count < 2; count += 1)
      await system.api.post('/oauth/revoke', { body: { ...clientOf(client), token } })
    const events = await listAudit(database, { action: 'token.revoke', limit: 10 })
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      actor: {
        kind: 'client',
        name: client.clientId,
        origin: expect.stringMatching(/127\.0\.0\.1|::1/) as unknown,
      },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      details: { credential: client.id },
    })
  })

  it('holds no secret, no password and no token', async () => {
    const rows = await runSql(system.databaseUrl, 'SELECT audit_events::text AS text FROM audit_events')
    const text = JSON.stringify(rows)
    expect(rows.length).toBeGreaterThan(10)
    for (const { clientSecret } of Object.values(system.credentials)) expect(text).not.toContain(clientSecret)
    expect(text).not.toMatch(/a good password|eyJhbGciOi|argon2/)
  })

  it.each(['UPDATE audit_events SET actor = NULL', 'DELETE FROM audit_events', 'TRUNCATE audit_events'])(
    'refuses %s',
    async (statement) => {
      await expect(runSql(system.databaseUrl, statement)).rejects.toThrow('append-only')
    },
  )
})
