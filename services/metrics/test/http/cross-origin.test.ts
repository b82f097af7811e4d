/** Dashboards are pages of any origin: preflights need no token, and every answer may be read (Fetch standard 3.3). */
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ engine: createRecordingEngine().engine })
})
afterAll(() => app.close())

const ORIGIN = { Origin: 'https://dashboard.example' }
const PREFLIGHT = { ...ORIGIN, 'Access-Control-Request-Method': 'POST' }

it.each(['/metrics/orders/stats', '/metrics/nope', '/elsewhere'])(
  'answers the preflight of %s without a token',
  async (path) => {
    const options = { method: 'OPTIONS', token: null, headers: PREFLIGHT }
    const { status, text, headers } = await app.ask(path, null, options)
    expect([status, text]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate, baggage',
      'access-control-expose-headers': expect.stringContaining('X-Ratelimit-Remaining') as unknown,
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  },
)

it('lets a page read answers and errors', async () => {
  const body = { stats: { field: 'order.id', operator: 'value_count' } }
  const good = await app.ask('/metrics/orders/stats', body, { headers: ORIGIN })
  const bad = await app.ask('/metrics/orders/stats', body, { headers: ORIGIN, token: null })
  expect([good.status, bad.status]).toEqual([200, 401])
  for (const { headers } of [good, bad]) {
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']).toContain('X-Request-Id')
  }
})

it('answers OPTIONS without a token with 204 and Allow', async () => {
  const probe = { method: 'OPTIONS', token: null, headers: ORIGIN }
  const { status, headers } = await app.ask('/metrics/orders/stats', null, probe)
  expect([status, headers['allow']]).toEqual([204, 'POST, OPTIONS'])
  expect((await app.ask('/metrics/nope', null, probe)).status).toBe(401)
})

it('refuses OPTIONS with a token, as every method but POST', async () => {
  const { status } = await app.ask('/metrics/orders/stats', null, { method: 'OPTIONS', headers: ORIGIN })
  expect(status).toBe(405)
})
