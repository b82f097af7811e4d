/** The authorize page when every request may reach another replica: real PostgreSQL, codes in real Redis. */
import { createRedisKeyValue } from '@merx/key-value/redis-key-value'
import { freshRedis, type FreshRedis } from '@merx/testing/fresh-redis'
import { inProcessClient, type InProcessClient } from '@merx/testing/in-process-client'
import { clientOf, REDIRECT_URI, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { createTestBrowser } from '../support/browser.ts'
import { runSql } from '../support/sql.ts'

let redis: FreshRedis
let system: TestSystem
/** Each request goes to the other replica. */
let api: InProcessClient
beforeAll(async () => {
  redis = await freshRedis()
  const keyValue = () => createRedisKeyValue({ redis: redis.client, prefix: 'auth:' })
  system = await startTestSystem({ name: 'authorize_replicas', keyValue })
  const replicas = [system.api, inProcessClient((await system.another()).app)]
  const next = (): InProcessClient => {
    replicas.reverse()
    return replicas[0] ?? system.api
  }
  api = {
    request: (...request) => next().request(...request),
    get: (...request) => next().get(...request),
    post: (...request) => next().post(...request),
  }
})
afterAll(async () => {
  await system.close()
  await redis.drop()
})

const exchange = (code: string | null) =>
  api.post('/oauth/token', {
    body: {
      grant_type: 'authorization_code',
      ...clientOf(system.credentials.webapp),
      code,
      redirect_uri: REDIRECT_URI,
    },
  })

/** A code of a user who signed in and consented. */
const consent = async (): Promise<string | null> => {
  const browser = createTestBrowser(api)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: system.credentials.webapp.clientId,
    redirect_uri: REDIRECT_URI,
  })
  const page = await browser.open(`/oauth/authorize?${query.toString()}`)
  const login = { action: 'sign_in', email: 'owner@shop.example', password: 'a good password' }
  const signedIn = await browser.submit(page, login)
  const consentPage = await browser.open(signedIn.headers['location'] ?? '')
  const answer = await browser.submit(consentPage, { action: 'allow' })
  return new URL(answer.headers['location'] ?? '').searchParams.get('code')
}

describe('the authorize page on two replicas', () => {
  it('signs in, consents and exchanges wherever the requests go', async () => {
    expect((await exchange(await consent())).status).toBe(200)
  })

  it('ends what a code gave when it is replayed at the other replica, for good and on record', async () => {
    const code = await consent()
    const first = (await exchange(code)).body as { access_token: string; refresh_token: string }
    const replayed = await exchange(code)
    expect(replayed.status).toBe(400)
    const refresh = await api.post('/oauth/token', {
      body: {
        grant_type: 'refresh_token',
        ...clientOf(system.credentials.webapp),
        refresh_token: first.refresh_token,
      },
    })
    expect(refresh.status).toBe(400)
    const events = await runSql<{ action: string }>(
      system.databaseUrl,
      "SELECT action FROM audit_events WHERE action = 'authorization_code.replay'",
    )
    expect(events).toHaveLength(1)
    const revoked = await runSql(system.databaseUrl, 'SELECT 1 FROM revocations')
    expect(revoked).toHaveLength(1)
  })

  it('of 20 exchanges of one code at once lets at most one through', async () => {
    const code = await consent()
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })
})
