/** Storefronts ask for tokens from pages of any origin, and give them back (Fetch standard 3.3). */
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'cross_origin' })
})
afterAll(() => system.close())

const ORIGIN = { Origin: 'https://shop.example' }
const PREFLIGHT = { ...ORIGIN, 'Access-Control-Request-Method': 'POST' }

it.each(['/oauth/token', '/oauth/revoke'])('answers the preflight of %s', async (path) => {
  const { status, text, headers } = await system.api.request('OPTIONS', path, { headers: PREFLIGHT })
  expect([status, text]).toEqual([204, ''])
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers':
      'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate, baggage',
    'access-control-expose-headers': expect.stringContaining('X-Ratelimit-Remaining') as unknown,
  })
  expect(headers).not.toHaveProperty('access-control-allow-credentials')
})

it.each(['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
  'answers the preflight of %s',
  async (path) => {
    const preflight = { ...ORIGIN, 'Access-Control-Request-Method': 'GET' }
    const { status, text, headers } = await system.api.request('OPTIONS', path, { headers: preflight })
    expect([status, text]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
    })
  },
)

it('lets dashboards provision, with every method', async () => {
  const { status, headers } = await system.api.request('OPTIONS', '/provisioning/users', {
    headers: PREFLIGHT,
  })
  expect([status, headers['access-control-allow-methods']]).toEqual([204, 'GET, POST, PATCH, DELETE'])
  const refused = await system.api.get('/provisioning/users', { headers: ORIGIN })
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, '*'])
})

it('lets a page read its token, and why it gets none', async () => {
  const { clientId: client_id } = system.credentials.salesChannel
  const request = { grant_type: 'client_credentials', client_id, scope: 'market:code:europe' }
  const given = await system.token(request, ORIGIN)
  const refused = await system.token({ ...request, scope: 'market:code:nowhere' }, ORIGIN)
  expect([given.status, refused.status]).toEqual([200, 400])
  for (const { headers } of [given, refused]) {
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']).toContain('X-Request-Id')
  }
})

it('opens neither the page where users sign in nor introspection to other pages', async () => {
  for (const path of ['/oauth/authorize', '/oauth/introspect']) {
    const { headers } = await system.api.request('OPTIONS', path, { headers: PREFLIGHT })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
})

it('answers OPTIONS of provisioning that is not a preflight without a token', async () => {
  const { status, headers } = await system.api.request('OPTIONS', '/provisioning/users')
  expect([status, headers['allow']]).toEqual([204, expect.stringContaining('OPTIONS')])
})
