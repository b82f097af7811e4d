/** Storefronts are pages of any origin: preflights need no token, and every answer may be read (Fetch standard 3.3). */
import { openCore, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('cross_origin')
})
afterAll(() => core.close())

const ORIGIN = { Origin: 'https://shop.example' }

const preflight = (path: string, method: string) =>
  core.client.request('OPTIONS', path, {
    headers: {
      ...ORIGIN,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  })

it.each([
  ['/api/skus', 'GET'],
  ['/api/orders', 'POST'],
  ['/api/orders/whatever', 'PATCH'],
  ['/api/addresses/whatever', 'DELETE'],
  ['/api/nope', 'GET'],
  ['/elsewhere', 'GET'],
])('answers the preflight of %s %s without a token', async (path, method) => {
  const { status, text, headers } = await preflight(path, method)
  expect([status, text]).toEqual([204, ''])
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': expect.stringContaining(method) as unknown,
    'access-control-allow-headers':
      'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate, baggage',
    'access-control-expose-headers': expect.stringContaining('X-Ratelimit-Remaining') as unknown,
  })
  expect(headers).not.toHaveProperty('access-control-allow-credentials')
})

it('lets a page of a sales channel read the answer, its request id and its rate budget', async () => {
  const token = await core.tokens.mint(salesChannel([1]))
  const { status, headers } = await core.get('/api/skus', token, ORIGIN)
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
  const exposed = headers['access-control-expose-headers']?.toLowerCase().split(', ') ?? []
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-interval', 'x-ratelimit-remaining']) {
    expect([name, exposed.includes(name), headers[name]]).toEqual([name, true, expect.any(String)])
  }
})

it.each(['/api/skus', '/nowhere'])('lets a page read errors: %s without a token', async (path) => {
  const { status, headers } = await core.client.get(path, { headers: ORIGIN })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(headers['access-control-allow-origin']).toBe('*')
})

it.each([
  ['/api/skus', 'GET, POST, HEAD, OPTIONS'],
  ['/api/skus/whatever', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
  ['/api/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/api/files/whatever', 'GET, HEAD, OPTIONS'],
])('answers OPTIONS of %s that is not a preflight with 204 and Allow', async (path, allow) => {
  const { status, text, headers } = await core.client.request('OPTIONS', path)
  expect([status, text, headers['allow']]).toEqual([204, '', allow])
})

it('does not tell which paths exist to OPTIONS of an unknown one', async () => {
  expect((await core.client.request('OPTIONS', '/api/nope')).status).toBe(401)
})
