/** Requests whose token does not count: they are limited by address, and a token counts only at its organization's host. */
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const BODY = { stats: { field: 'order.id', operator: 'value_count' } }

let app: TestApp

beforeEach(async () => {
  app = await openTestApp({ engine: createRecordingEngine().engine, env: { TRUST_PROXY: '1' } })
})
afterEach(() => app.close())

const ask = (token: string | undefined, address: string, host = 'localhost') => {
  const headers = { Host: host, 'X-Forwarded-For': address }
  return app.ask('/metrics/orders/stats', BODY, { headers, ...(token === undefined ? {} : { token }) })
}

it('answers invalid tokens with 401 up to the budget of the address, then with 429', async () => {
  for (let sent = 0; sent < 25; sent += 1) {
    expect((await ask(`forged.token.${sent}`, '203.0.113.7')).status).toBe(401)
  }
  const refused = await ask('forged.token.x', '203.0.113.7')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
  expect(refused.body).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS', status: 429 } })
  expect((await ask(undefined, '203.0.113.7')).status).toBe(200)
  expect((await ask('forged.token.x', '203.0.113.8')).status).toBe(401)
})

it.each([
  ['acme.merx.localhost', 200],
  ['localhost:8080', 200],
  ['bravo.merx.localhost', 401],
  ['nobody.merx.localhost', 401],
])('compares the organization of the token with the host %s: %d', async (host, status) => {
  expect((await ask(undefined, '203.0.113.9', host)).status).toBe(status)
})
