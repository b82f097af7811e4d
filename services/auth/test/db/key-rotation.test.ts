/** A rotation while tokens are issued and verified: two replicas, verifiers that fetch the keys over HTTP. */
import { setTimeout as wait } from 'node:timers/promises'
import { createVerifier, type Verifier } from '@merx/access-token/verifier'
import { Secret } from '@merx/config/secret'
import { listen } from '@merx/http/listen'
import { createPool } from '@merx/postgres/pool'
import { inProcessClient, type InProcessClient } from '@merx/testing/in-process-client'
import { decodeProtectedHeader } from 'jose'
import type { AuthSystem } from '../../src/compose.ts'
import { createKeyEncryption } from '../../src/keys/key-encryption.ts'
import { rotateKeys } from '../../src/keys/rotation.ts'
import { createDatabase, type Database } from '../../src/store/prisma-client.ts'
import { pruneExpired } from '../../src/store/prune-expired.ts'
import { createSigningKeyStore } from '../../src/store/signing-key-store.ts'
import {
  assertionOf,
  clientOf,
  SERVICE_KEY,
  startTestSystem,
  type TestSystem,
} from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
let database: Database
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  system = await startTestSystem({ name: 'key_rotation' })
  const pool = createPool({
    url: system.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
  closers.push(
    () => system.close(),
    () => pool.end(),
    () => database.$disconnect(),
  )
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const rotate = () =>
  rotateKeys(600, {
    store: createSigningKeyStore(database),
    encryption: createKeyEncryption(new Secret(SERVICE_KEY)),
    bits: 2_048,
    clock: system.clock,
    actor: { kind: 'operator', name: 'ann', origin: 'laptop' },
  })

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ''

/** A replica that answers at an address, and a service that verifies with its keys. */
const openReplica = async (): Promise<{ auth: AuthSystem; api: InProcessClient; verifier: Verifier }> => {
  const auth = await system.another({ keysReloadMs: 20 })
  const server = await listen(auth.internalApp, { host: '127.0.0.1', port: 0 })
  closers.push(() => server.close())
  const verifier = createVerifier({
    jwksUrl: `${server.url}/.well-known/jwks.json`,
    issuer: 'https://auth.merx.localhost',
    clock: system.clock,
  })
  return { auth, api: inProcessClient(auth.app), verifier }
}

/** The custom claim makes every request one of its own, so that each token is signed. */
const issue = async (api: InProcessClient, number: number): Promise<string> => {
  const { status, body } = await api.post('/oauth/token', {
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...clientOf(system.credentials.webapp),
      assertion: assertionOf({ custom_claim: { number } }),
    },
  })
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`)
  return (body as { access_token: string }).access_token
}

describe('a rotation under load', () => {
  it('refuses no valid token, on either replica, by either verifier, and all end up signing with the new key', async () => {
    const replicas = [await openReplica(), await openReplica()]
    const tokens: string[] = []
    const refused: string[] = []
    let isOver = false

    const work = async (api: InProcessClient, offset: number): Promise<void> => {
      for (let number = offset; !isOver; number += 10) {
        tokens.push(await issue(api, number))
        const sample = [tokens.at(-1), tokens[0], tokens[Math.floor(tokens.length / 2)]]
        for (const { verifier } of replicas) {
          for (const token of sample) {
            if (token === undefined) continue
            await verifier.verify(token).catch((error: unknown) => refused.push(String(error)))
          }
        }
      }
    }
    const working = [0, 1, 2, 3].map((offset) => work(replicas[offset % 2]?.api ?? system.api, offset))
    const waitFor = async (count: number): Promise<void> => {
      const enough = tokens.length + count
      while (tokens.length < enough) await wait(5)
    }

    await waitFor(20)
    const outcome = await rotate()
    // Ten minutes and two more, in steps between which the verifiers are asked.
    for (let second = 0; second < 720; second += 20) {
      system.clock.advance(20)
      await waitFor(8)
    }
    isOver = true
    await Promise.all(working)

    expect(refused).toEqual([])
    const kids = new Set(tokens.map(kidOf))
    expect(kids.size).toBe(2)
    for (const { api } of replicas) expect(kidOf(await issue(api, -1))).toBe(outcome.kid)
    const sinceNew = tokens.slice(tokens.findIndex((token) => kidOf(token) === outcome.kid))
    // A replica that has not heard yet may sign with the old key for a moment; then never again.
    expect(new Set(sinceNew.slice(-20).map(kidOf))).toEqual(new Set([outcome.kid]))
  })

  it('keeps the old key published until its longest token has expired, then removes it', async () => {
    const keys = () =>
      runSql<{ kid: string; state: string }>(system.databaseUrl, 'SELECT kid, state FROM signing_keys')
    expect((await keys()).map(({ state }) => state).sort()).toEqual(['active', 'retired'])
    await pruneExpired(database, new Date(system.clock.now().getTime() + 1_296_000_000))
    expect(await keys()).toHaveLength(2)
    await pruneExpired(database, new Date(system.clock.now().getTime() + 1_297_000_000))
    expect((await keys()).map(({ state }) => state)).toEqual(['active'])
  })
})

describe('two rotations at once', () => {
  it('publish one key, and many replicas make it active once', async () => {
    const outcomes = await Promise.all([rotate(), rotate(), rotate()])
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['published', 'under_way', 'under_way'])
    expect(new Set(outcomes.map(({ kid }) => kid)).size).toBe(1)
    system.clock.advance(600)
    const store = createSigningKeyStore(database)
    const at = system.clock.now()
    const done = await Promise.all(Array.from({ length: 5 }, () => store.activateNext(at, at)))
    expect(done.filter((isMine) => isMine).length).toBeLessThanOrEqual(1)
    const events = await runSql<{ actor: string }>(
      system.databaseUrl,
      `SELECT actor FROM audit_events WHERE action = 'key.activate' AND subject_id = $1`,
      [outcomes[0]?.kid],
    )
    expect(events).toEqual([{ actor: 'auth' }])
  })
})
