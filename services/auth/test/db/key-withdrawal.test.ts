/** The end of a key that leaked: two replicas of auth, each followed by a service that verifies by itself. */
import { Secret } from '@merx/config/secret'
import { createPool } from '@merx/postgres/pool'
import { eventually } from '@merx/testing/eventually'
import type { InProcessClient } from '@merx/testing/in-process-client'
import { decodeProtectedHeader } from 'jose'
import { createKeyEncryption } from '../../src/keys/key-encryption.ts'
import { ForeignSecret, rotateKeys } from '../../src/keys/rotation.ts'
import { withdrawKey } from '../../src/keys/withdrawal.ts'
import { createDatabase } from '../../src/store/prisma-client.ts'
import { pruneExpired } from '../../src/store/prune-expired.ts'
import { createSigningKeyStore } from '../../src/store/signing-key-store.ts'
import { clientOf, SERVICE_KEY, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { openFollower, type Follower } from '../support/open-follower.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
let database: ReturnType<typeof createDatabase>
let followers: Follower[]
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  system = await startTestSystem({ name: 'key_withdrawal' })
  closers.push(() => system.close())
  const pool = createPool({
    url: system.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
  closers.push(
    () => pool.end(),
    () => database.$disconnect(),
  )
  followers = [await openFollower(system), await openFollower(system)]
  closers.push(...followers.map(({ close }) => close))
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const depsWith = (secret = SERVICE_KEY) => ({
  store: createSigningKeyStore(database),
  encryption: createKeyEncryption(new Secret(secret)),
  bits: 2_048,
  clock: system.clock,
  actor: { kind: 'operator', name: 'ann', origin: 'laptop' } as const,
})

const body = () => ({ grant_type: 'client_credentials', ...clientOf(system.credentials.integration) })

const tokenOf = async (api: InProcessClient): Promise<string> => {
  const { status, body: answer } = await api.post('/oauth/token', { body: body() })
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(answer)}`)
  return (answer as { access_token: string }).access_token
}

const isAccepted = ({ verifier }: Follower, token: string): Promise<boolean> =>
  verifier.verify(token).then(
    () => true,
    () => false,
  )

const onEach = async (isTrue: (follower: Follower) => Promise<boolean>): Promise<void> => {
  for (const follower of followers) await eventually(() => isTrue(follower))
}

const keysInUse = () =>
  runSql<{ kid: string; state: string }>(
    system.databaseUrl,
    'SELECT kid, state FROM signing_keys ORDER BY id',
  )

describe('withdrawing the active key', () => {
  it('ends its tokens in every service, also verified ones; every replica signs with another at once', async () => {
    const old = await tokenOf(system.api)
    for (const follower of followers) expect(await isAccepted(follower, old)).toBe(true)
    const kid = decodeProtectedHeader(old).kid ?? ''
    expect(await withdrawKey(kid, depsWith())).toBe('withdrawn')
    await onEach(async (follower) => !(await isAccepted(follower, old)))
    // A service's first look at the new keys may come within a second of its last; until then it says 503, not 401.
    await onEach(async (follower) => {
      const { status, body: answer } = await follower.api.post('/oauth/token', { body: body() })
      if (status !== 200) return false
      const token = (answer as { access_token: string }).access_token
      expect(token).not.toBe(old)
      expect(decodeProtectedHeader(token).kid).not.toBe(kid)
      system.clock.advance(1.1)
      return isAccepted(follower, token)
    })
    for (const { api } of followers) {
      const { keys } = (await api.get('/.well-known/jwks.json')).body as { keys: { kid: string }[] }
      expect(keys.map((key) => key.kid)).not.toContain(kid)
      const introspected = await api.post('/oauth/introspect', {
        body: { ...clientOf(system.credentials.integration), token: old },
      })
      expect(introspected.body).toEqual({ active: false })
    }
    expect((await keysInUse()).map(({ state }) => state)).toEqual(['active'])
  })

  it('is heard of by a service that starts later', async () => {
    const [{ kid } = { kid: '' }] = await runSql<{ kid: string }>(
      system.databaseUrl,
      'SELECT kid FROM withdrawn_keys',
    )
    const { body: state } = await system.internal.get('/internal/access-state', { token: SERVICE_KEY })
    expect(state).toMatchObject({ withdrawn_keys: [{ kid }] })
  })

  it('lets the next key sign early when there is one', async () => {
    const { kid: next } = await rotateKeys(600, depsWith())
    const [active] = (await keysInUse()).filter(({ state }) => state === 'active')
    expect(await withdrawKey(active?.kid ?? '', depsWith())).toBe('withdrawn')
    expect(await keysInUse()).toEqual([{ kid: next, state: 'active' }])
    await onEach(async ({ api }) => decodeProtectedHeader(await tokenOf(api)).kid === next)
  })

  it('needs the secret the services seal their keys with', async () => {
    const [active] = await keysInUse()
    await expect(withdrawKey(active?.kid ?? '', depsWith('another secret, as long'))).rejects.toThrow(
      ForeignSecret,
    )
    expect(await keysInUse()).toEqual([active])
  })
})

describe('withdrawing another key', () => {
  it('leaves the active one alone, and is recorded once', async () => {
    const { kid } = await rotateKeys(600, depsWith())
    expect(await withdrawKey(kid, depsWith())).toBe('withdrawn')
    expect(await withdrawKey(kid, depsWith())).toBe('withdrawn_before')
    expect((await keysInUse()).map(({ state }) => state)).toEqual(['active'])
    const events = await runSql(
      system.databaseUrl,
      `SELECT actor, subject_id FROM audit_events WHERE action = 'key.withdraw' AND subject_id = $1`,
      [kid],
    )
    expect(events).toEqual([{ actor: 'ann', subject_id: kid }])
  })

  it('does nothing when there is none of that name', async () => {
    const before = await keysInUse()
    expect(await withdrawKey('ab'.repeat(32), depsWith())).toBe('unknown')
    expect(await keysInUse()).toEqual(before)
  })

  it('is stored for longer than any token lives, and not for ever', async () => {
    const count = async () => (await runSql(system.databaseUrl, 'SELECT kid FROM withdrawn_keys')).length
    expect(await count()).toBe(3)
    const inDays = (days: number) => new Date(system.clock.now().getTime() + days * 86_400_000)
    await pruneExpired(database, inDays(15))
    expect(await count()).toBe(3)
    await pruneExpired(database, inDays(16))
    expect(await count()).toBe(0)
  })
})

describe('withdrawing a key unheard', () => {
  it('ends its tokens at every replica all the same, and each signs with the next one', async () => {
    const old = await tokenOf(system.api)
    const { kid: next } = await rotateKeys(600, depsWith())
    // As `withdraw` does it, without a notification.
    await runSql(
      system.databaseUrl,
      `BEGIN;
       WITH next AS (UPDATE access_state SET version = version + 1 RETURNING version)
       INSERT INTO withdrawn_keys (kid, state_version, withdrawn_at, expires_at)
       SELECT kid, version, now(), '2027-01-01' FROM signing_keys, next WHERE state = 'active';
       DELETE FROM signing_keys WHERE state = 'active';
       UPDATE signing_keys SET state = 'active', activated_at = now() WHERE state = 'next';
       COMMIT`,
    )
    await onEach(async ({ api }) => {
      const { body: introspected } = await api.post('/oauth/introspect', {
        body: { ...clientOf(system.credentials.integration), token: old },
      })
      return (introspected as { active: boolean }).active === false
    })
    await onEach(async ({ api }) => {
      const { status, body: answer } = await api.post('/oauth/token', { body: body() })
      return (
        status === 200 &&
        decodeProtectedHeader((answer as { access_token: string }).access_token).kid === next
      )
    })
  })
})
