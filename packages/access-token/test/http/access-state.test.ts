import { setTimeout } from 'node:timers/promises'
import { Secret } from '@merx/config/secret'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import { createInternalClient } from '@merx/http/internal-client'
import { listen } from '@merx/http/listen'
import { requireServiceKey } from '@merx/http/service-key'
import { systemClock } from '@merx/telemetry/clock'
import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { eventually } from '@merx/testing/eventually'
import { createFakeClock } from '@merx/testing/fake-clock'
import { createTokenMint } from '@merx/testing/mint-token'
import { createRecordingLogger, silentLogger } from '@merx/testing/silent-logger'
import type { Request } from 'express'
import type { AccessStateDocument } from '../../src/access-state-document.ts'
import { createAccessState } from '../../src/access-state.ts'
import type { AccessState } from '../../src/access-state.ts'
import { createVerifier } from '../../src/verifier.ts'

const afterwards = cleanUpAfterEach()
const KEY = new Secret('a-service-key-of-16')
const JTI = '0b5e2e9c-5a3b-4e4e-9d6c-0c1b2a3d4e5f'

type Change = Partial<Omit<AccessStateDocument, 'version'>>

/** The same endpoint as auth's, over a list in memory. */
const createAuth = () => {
  let changes: Change[] = []
  let wake = Promise.withResolvers<undefined>()
  const requests: Request['query'][] = []

  const changesAfter = (after: number): AccessStateDocument => {
    const news = changes.slice(after)
    return {
      version: changes.length,
      revocations: news.flatMap((change) => change.revocations ?? []),
      roles: news.flatMap((change) => change.roles ?? []),
      withdrawn_keys: news.flatMap((change) => change.withdrawn_keys ?? []),
    }
  }

  const app = createApp({
    service: 'auth',
    log: silentLogger,
    trustProxy: 0,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  app.use('/internal', requireServiceKey(KEY))
  app.get('/internal/access-state', async (request, response) => {
    requests.push(request.query)
    const after = Number(request.query['after'] ?? 0)
    if (after > changes.length) {
      response.status(410).json({})
      return
    }
    if (request.query['after'] !== undefined && after === changes.length) {
      await Promise.race([
        wake.promise,
        setTimeout(Number(request.query['wait_seconds']) * 1000, undefined, { ref: false }),
      ])
    }
    response.json(changesAfter(after))
  })
  finishApp(app, { notFound: 'not_found', log: silentLogger })

  const announce = (): void => {
    wake.resolve(undefined)
    wake = Promise.withResolvers<undefined>()
  }
  return {
    app,
    requests,
    add: (change: Change): void => {
      changes.push(change)
      announce()
    },
    /** As after its database was put back. */
    reset: (): void => {
      changes = []
      announce()
    },
  }
}

const revoke = (jti: string, expiresAt = '2099-01-01T00:00:00.000Z'): Change => ({
  revocations: [{ jti, expires_at: expiresAt }],
})

const start = async (auth: ReturnType<typeof createAuth>, port = 0) => {
  const listening = await listen(auth.app, { host: '127.0.0.1', port, drainTimeoutMs: 0 })
  afterwards(() => listening.close())
  return listening
}

/** How long auth holds a request open that has no news. */
const WAIT_SECONDS = 5

const follow = (
  url: string,
  { log = silentLogger, clock = systemClock, waitSeconds = WAIT_SECONDS } = {},
): AccessState => {
  const client = createInternalClient({ url, key: KEY, timeoutMs: 2000, log })
  const state = createAccessState({ client, log, clock, waitSeconds })
  afterwards(() => state.close())
  return state
}

describe('access state', () => {
  it('holds all revocations and roles once started', async () => {
    const auth = createAuth()
    auth.add(revoke(JTI))
    auth.add({
      roles: [{ id: 'rOlE', kind: 'custom', permissions: [{ subject: 'orders', actions: ['read'] }] }],
    })
    const { url } = await start(auth)
    const state = follow(url)
    expect(state.isLoaded).toBe(false)
    await expect(state.requireLoaded()).rejects.toThrow('auth has not sent yet which tokens are revoked')
    await state.start()
    expect(state.isLoaded).toBe(true)
    await state.requireLoaded()
    expect(state.isRevoked(JTI)).toBe(true)
    expect(state.isRevoked(JTI.toUpperCase())).toBe(true)
    expect(state.isRevoked('00000000-0000-4000-8000-000000000000')).toBe(false)
    expect(state.permissionsOf('rOlE')).toEqual([{ subject: 'orders', actions: ['read'] }])
    expect(state.permissionsOf('other')).toEqual([])
    expect(state.freshness).toMatchObject({ version: 2, isConnected: true })
  })

  it('refuses a revoked token everywhere', async () => {
    const auth = createAuth()
    const { url } = await start(auth)
    const mint = await createTokenMint()
    const replicas = [follow(url), follow(url)]
    await Promise.all(replicas.map((state) => state.start()))
    const verifiers = replicas.map((accessState) =>
      createVerifier({ keySet: mint.keySet, issuer: mint.issuer, clock: systemClock, accessState }),
    )
    const token = await mint.mint({ jti: JTI })
    await Promise.all(verifiers.map((verifier) => verifier.verify(token)))
    auth.add(revoke(JTI))
    await eventually(() => replicas.every((state) => state.isRevoked(JTI)))
    for (const verifier of verifiers)
      await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'invalid_token' })
  })

  it('asks for all first and then only for what came after', async () => {
    const auth = createAuth()
    auth.add(revoke(JTI))
    const state = follow((await start(auth)).url)
    await state.start()
    auth.add(revoke('11111111-1111-4111-8111-111111111111'))
    await eventually(() => auth.requests.length === 3)
    expect(auth.requests).toEqual([
      { wait_seconds: '0' },
      { after: '1', wait_seconds: '5' },
      { after: '2', wait_seconds: '5' },
    ])
    expect(state.isRevoked(JTI)).toBe(true)
  })

  it('keeps its state while auth is unavailable and receives what it missed when auth is back', async () => {
    const auth = createAuth()
    auth.add(revoke(JTI))
    const first = await start(auth)
    const { log, lines } = createRecordingLogger()
    const state = follow(first.url, { log })
    await state.start()
    await first.close()
    await eventually(() => !state.freshness.isConnected)
    expect(state.isRevoked(JTI)).toBe(true)
    expect(state.isLoaded).toBe(true)
    const missed = '22222222-2222-4222-8222-222222222222'
    auth.add(revoke(missed))
    await start(auth, first.port)
    await eventually(() => state.isRevoked(missed))
    const said = lines.filter((line) => line['level'] !== 'debug').map((line) => line['msg'])
    expect(said).toEqual([
      'revocations and roles follow auth',
      'auth gives no revocations and roles; asking again',
      'revocations and roles follow auth',
    ])
  })

  it('starts from the beginning when auth no longer knows the version', async () => {
    const auth = createAuth()
    for (const digit of '123') auth.add(revoke(JTI.replace(/^0/, digit)))
    const state = follow((await start(auth)).url)
    await state.start()
    auth.reset()
    auth.add(revoke(JTI))
    await eventually(() => state.isRevoked(JTI))
    expect(state.isRevoked(JTI.replace(/^0/, '1'))).toBe(false)
  })

  it('forgets a revocation when its token has ended anyway', async () => {
    const auth = createAuth()
    auth.add(revoke(JTI, '2026-01-15T13:00:00.000Z'))
    const clock = createFakeClock('2026-01-15T12:00:00.000Z')
    const state = follow((await start(auth)).url, { clock })
    await state.start()
    expect(state.isRevoked(JTI)).toBe(true)
    clock.advance(3600)
    auth.add(revoke('33333333-3333-4333-8333-333333333333'))
    await eventually(() => !state.isRevoked(JTI))
  })

  it('takes over a role that changed', async () => {
    const auth = createAuth()
    auth.add({ roles: [{ id: 'rOlE', kind: 'admin', permissions: [] }] })
    const state = follow((await start(auth)).url)
    await state.start()
    auth.add({ roles: [{ id: 'rOlE', kind: 'read_only', permissions: [] }] })
    await eventually(() => state.roleOf('rOlE')?.kind === 'read_only')
  })

  it('receives withdrawn keys and drops them when no token can use them any more', async () => {
    const auth = createAuth()
    const [kid, ended] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const clock = createFakeClock('2026-01-15T12:00:00Z')
    const state = follow((await start(auth)).url, { clock })
    await state.start()
    expect(state.isKeyWithdrawn(kid)).toBe(false)
    auth.add({
      withdrawn_keys: [
        { kid, expires_at: '2099-01-01T00:00:00.000Z' },
        { kid: ended, expires_at: '2026-01-15T12:00:30.000Z' },
      ],
    })
    await eventually(() => state.isKeyWithdrawn(kid))
    expect(state.isKeyWithdrawn(ended)).toBe(true)
    clock.advance(61)
    auth.add({ revocations: [] })
    await eventually(() => !state.isKeyWithdrawn(ended))
    expect(state.isKeyWithdrawn(kid)).toBe(true)
  })

  it('starts without auth, unloaded, and loads when auth appears', async () => {
    const auth = createAuth()
    const gone = await start(auth)
    await gone.close()
    const state = follow(gone.url)
    await state.start()
    expect(state.isLoaded).toBe(false)
    await start(auth, gone.port)
    await eventually(() => state.isLoaded)
  })

  it('takes no answer of another shape for the state', async () => {
    const auth = createAuth()
    auth.add({ revocations: [{ jti: 'not-a-uuid', expires_at: 'soon' }] })
    const { log, lines } = createRecordingLogger()
    const state = follow((await start(auth)).url, { log })
    await state.start()
    expect(state.isLoaded).toBe(false)
    expect(JSON.stringify(lines)).toContain('/revocations/0/jti')
  })

  it('is refused without the service key', async () => {
    const { url } = await start(createAuth())
    const client = createInternalClient({
      url,
      key: new Secret('another-key-of-16'),
      timeoutMs: 2000,
      log: silentLogger,
    })
    const state = createAccessState({ client, log: silentLogger, clock: systemClock })
    afterwards(() => state.close())
    await state.start()
    expect(state.isLoaded).toBe(false)
  })

  it('closes at once although a request is open, and starts only once', async () => {
    const auth = createAuth()
    // Longer than a test may take: it ends in time only if closing does not wait for the answer.
    const state = follow((await start(auth)).url, { waitSeconds: 600 })
    await state.start()
    await expect(state.start()).rejects.toThrow('was started already')
    await eventually(() => auth.requests.length === 2)
    await state.close()
  })
})
