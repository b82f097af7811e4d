import { REDIRECT_URI, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { createTestBrowser, headingOf, type TestBrowser } from '../support/browser.ts'

const EMAIL = 'owner@shop.example'
const PASSWORD = 'a good password'

describe('guessing passwords', () => {
  let strict: TestSystem
  beforeAll(async () => {
    strict = await startTestSystem({ name: 'authorize_limits', rateLimitScale: 1, env: { TRUST_PROXY: '1' } })
  })
  afterAll(() => strict.close())

  const tryFrom = async (guest: TestBrowser, ip: string, email: string, password: string) => {
    const headers = { 'X-Forwarded-For': ip }
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: strict.credentials.webapp.clientId,
      redirect_uri: REDIRECT_URI,
    })
    const page = await guest.open(`/oauth/authorize?${query.toString()}`, headers)
    return guest.submit(page, { action: 'sign_in', email, password }, headers)
  }

  it('ends after 10 wrong passwords of an account at an address in 15 minutes, known or not', async () => {
    for (const [index, email] of [EMAIL, 'nobody@shop.example'].entries()) {
      const ip = `192.0.${index}.1`
      for (let count = 1; count <= 10; count += 1)
        expect((await tryFrom(createTestBrowser(strict.api), ip, email, 'wrong')).status).toBe(422)
      const right = await tryFrom(createTestBrowser(strict.api), ip, email, PASSWORD)
      expect([right.status, right.headers['retry-after']]).toEqual([429, '900'])
      expect(right.text).toContain('Wait 15 minutes, then try again.')
    }
    strict.clock.advance(900.001)
    expect((await tryFrom(createTestBrowser(strict.api), '192.0.0.1', EMAIL, PASSWORD)).status).toBe(303)
  })

  it('does not keep the user out at another address, however many addresses guess', async () => {
    strict.clock.advance(3600)
    for (let count = 1; count <= 110; count += 1)
      await tryFrom(createTestBrowser(strict.api), `192.0.4.${count}`, EMAIL, 'wrong')
    expect((await tryFrom(createTestBrowser(strict.api), '198.51.100.3', EMAIL, PASSWORD)).status).toBe(303)
  })

  it('does not count right passwords', async () => {
    strict.clock.advance(3600)
    for (let count = 1; count <= 15; count += 1)
      expect((await tryFrom(createTestBrowser(strict.api), '198.51.100.4', EMAIL, PASSWORD)).status).toBe(303)
  })

  it('by other callers does not lock out a browser the user signed in with before', async () => {
    strict.clock.advance(3600)
    const known = createTestBrowser(strict.api)
    expect((await tryFrom(known, '198.51.100.2', EMAIL, PASSWORD)).status).toBe(303)
    for (let count = 1; count <= 11; count += 1)
      await tryFrom(createTestBrowser(strict.api), `192.0.3.${count}`, EMAIL, 'wrong')
    known.cookies.delete('merx_session')
    expect((await tryFrom(known, '198.51.100.2', EMAIL, PASSWORD)).status).toBe(303)
  })

  it('ends after 40 tries of an address in 15 minutes, whomever it tries', async () => {
    strict.clock.advance(3600)
    const guest = createTestBrowser(strict.api)
    for (let count = 1; count <= 40; count += 1)
      expect((await tryFrom(guest, '203.0.113.9', `user${count}@shop.example`, 'wrong')).status).toBe(422)
    expect((await tryFrom(guest, '203.0.113.9', EMAIL, PASSWORD)).status).toBe(429)
    expect((await tryFrom(guest, '203.0.113.10', EMAIL, PASSWORD)).status).toBe(303)
  })

  it('and any other traffic ends at 120 pages a minute of an address, with a page that says so', async () => {
    strict.clock.advance(3600)
    const headers = { 'X-Forwarded-For': '203.0.113.20' }
    for (let count = 1; count <= 120; count += 1) await strict.api.get('/oauth/authorize', { headers })
    const refused = await strict.api.get('/oauth/authorize', { headers })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    expect(headingOf(refused)).toBe('Too many requests')
  })
})
