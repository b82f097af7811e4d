/** What survives a restart, and what replicas tell each other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { inProcessClient } from '@merx/testing/in-process-client'
import { clientOf, SERVICE_KEY, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'replicas' })
})
afterAll(() => system.close())

const body = () => ({ grant_type: 'client_credentials', ...clientOf(system.credentials.integration) })
const keysOf = async (app: Parameters<typeof inProcessClient>[0]) =>
  (await inProcessClient(app).get('/.well-known/jwks.json')).body

interface State {
  version: number
  revocations: { jti: string }[]
}

const stateOf = async (app: Parameters<typeof inProcessClient>[0], query = '') =>
  (await inProcessClient(app).get(`/internal/access-state${query}`, { token: SERVICE_KEY })).body as State

describe('a restart', () => {
  it('loses no key, credential, refresh token or revocation, with hot state gone', async () => {
    const signIn = await system.token({
      grant_type: 'password',
      client_id: system.credentials.salesChannel.clientId,
      username: 'ann@example.com',
      password: 'correct horse',
      scope: 'market:code:europe',
    })
    const revoked = (await system.token(body())).body as { access_token: string }
    await system.api.post('/oauth/revoke', {
      body: { ...clientOf(system.credentials.integration), token: revoked.access_token },
    })

    const restarted = await system.another({ keyValue: createMemoryKeyValue({ clock: system.clock }) })
    const api = inProcessClient(restarted.app)
    expect(await keysOf(restarted.app)).toEqual(await keysOf(system.auth.app))
    expect((await stateOf(restarted.internalApp)).revocations).toEqual(
      (await stateOf(system.auth.internalApp)).revocations,
    )
    const { body: issued, status } = await api.post('/oauth/token', { body: body() })
    expect(status).toBe(200)
    expect((issued as { access_token: string }).access_token).not.toBe(revoked.access_token)
    const refreshed = await api.post('/oauth/token', {
      body: {
        grant_type: 'refresh_token',
        client_id: system.credentials.salesChannel.clientId,
        refresh_token: (signIn.body as { refresh_token: string }).refresh_token,
      },
    })
    expect(refreshed.status).toBe(200)
  })

  it('of several replicas at once on an empty database makes one signing key', async () => {
    await runSql(system.databaseUrl, 'DELETE FROM signing_keys')
    const [one, two, three] = await Promise.all([system.another(), system.another(), system.another()])
    const keys = await Promise.all([one, two, three].map(({ app }) => keysOf(app)))
    expect(keys[0]).toMatchObject({ keys: [{ alg: 'RS512' }] })
    expect(keys[1]).toEqual(keys[0])
    expect(keys[2]).toEqual(keys[0])
  })
})

describe('another replica', () => {
  it('answers a waiting poll because of a revocation elsewhere, not because its time is over', async () => {
    const other = await system.another()
    const { version } = await stateOf(other.internalApp)
    const waiting = stateOf(other.internalApp, `?after=${version}&wait_seconds=25`)
    const { access_token: token } = (await system.token(body())).body as { access_token: string }
    await system.api.post('/oauth/revoke', { body: { ...clientOf(system.credentials.integration), token } })
    expect((await waiting).revocations).toHaveLength(1)
  })

  it('still receives revocations after its listening connection was cut', async () => {
    const other = await system.another()
    const { version } = await stateOf(other.internalApp)
    await runSql(
      system.databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'auth-listener' AND datname = current_database()`,
    )
    const waiting = stateOf(other.internalApp, `?after=${version}&wait_seconds=25`)
    const { access_token: token } = (await system.token(body())).body as { access_token: string }
    await system.api.post('/oauth/revoke', { body: { ...clientOf(system.credentials.integration), token } })
    expect((await waiting).revocations).toHaveLength(1)
  })

  it('stops without waiting for its long polls', async () => {
    const other = await system.another()
    const { version } = await stateOf(other.internalApp)
    const waiting = stateOf(other.internalApp, `?after=${version}&wait_seconds=25`)
    await sleep(0)
    other.endWaits()
    expect(await waiting).toMatchObject({ version })
  })
})

describe('a database that becomes unavailable', () => {
  const setConnections = async (isAllowed: boolean): Promise<void> => {
    const admin = new URL(system.databaseUrl)
    const name = admin.pathname.slice(1)
    admin.pathname = '/postgres'
    await runSql(admin.href, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${String(isAllowed)}`)
    if (isAllowed) return
    await runSql(admin.href, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ])
  }

  it('is answered with 503 and Retry-After, and everything works again once it is back', async () => {
    system.clock.advance(2)
    await setConnections(false)
    const unavailable = await system.token(body())
    const ready = await system.internal.get('/health/ready')
    const keys = await system.api.get('/.well-known/jwks.json')
    await setConnections(true)
    expect(unavailable.status).toBe(503)
    expect(unavailable.headers['retry-after']).toBe('1')
    expect(unavailable.body).toMatchObject({ error: 'temporarily_unavailable' })
    expect(ready.status).toBe(503)
    expect(keys.status).toBe(200)
    expect((await system.token(body())).status).toBe(200)
  })
})
