import { clientOf, oauthErrorOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'rate_limit', rateLimitScale: 1, env: { TRUST_PROXY: '1' } })
})
afterAll(() => system.close())

const ask = (
  ip: string,
  body: Record<string, unknown> = {
    grant_type: 'client_credentials',
    ...clientOf(system.credentials.integration),
  },
) => system.token(body, { 'X-Forwarded-For': ip })

describe('the limit of the token endpoint', () => {
  it('is 30 requests in any 60 seconds of one address', async () => {
    for (let count = 1; count <= 30; count += 1) expect((await ask('192.0.2.1')).status).toBe(200)
    const refused = await ask('192.0.2.1')
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    expect(oauthErrorOf(refused)).toMatchObject({
      error: 'too_many_requests',
      errors: [{ title: 'too_many_requests', code: 'TOO_MANY_REQUESTS', status: 429 }],
    })
    expect((await ask('192.0.2.2')).status).toBe(200)
    system.clock.advance(60.001)
    expect((await ask('192.0.2.1')).status).toBe(200)
  })

  it('holds for test and live together', async () => {
    for (let count = 1; count <= 15; count += 1) {
      await ask('192.0.2.4')
      await ask('192.0.2.4', {
        grant_type: 'client_credentials',
        ...clientOf(system.credentials.integrationLive),
      })
    }
    expect((await ask('192.0.2.4')).status).toBe(429)
  })

  it('counts refused requests too', async () => {
    for (let count = 1; count <= 30; count += 1)
      expect((await ask('192.0.2.3', { nonsense: true })).status).toBe(400)
    expect((await ask('192.0.2.3')).status).toBe(429)
  })

  it('does not count revocations, which have a budget of their own', async () => {
    const revoke = () =>
      system.api.post('/oauth/revoke', { body: {}, headers: { 'X-Forwarded-For': '192.0.2.6' } })
    for (let count = 1; count <= 30; count += 1) expect((await revoke()).status).toBe(400)
    expect((await revoke()).status).toBe(429)
    expect((await ask('192.0.2.6')).status).toBe(200)
  })

  it('does not count the key set', async () => {
    for (let count = 1; count <= 40; count += 1) {
      expect(
        (await system.api.get('/.well-known/jwks.json', { headers: { 'X-Forwarded-For': '192.0.2.5' } }))
          .status,
      ).toBe(200)
    }
  })
})
