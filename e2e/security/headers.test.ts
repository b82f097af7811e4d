/** Response headers of every interface, on successes, refusals and pages: nothing to sniff, frame, cache or learn from. */
import { accessToken, connect, METRICS_ACCEPT } from '../support/connect.ts'
import { demo, environment } from '../support/demo.ts'
import type { Reply } from '../support/send.ts'

const STATS = {
  stats: { field: 'order.id', operator: 'value_count' },
  filter: {
    order: { date_from: '2020-01-01T00:00:00Z', date_to: '2035-12-31T23:59:59Z', date_field: 'created_at' },
  },
}

const authorizePage = (query: string): Promise<Reply> => connect().auth('GET', `/oauth/authorize?${query}`)

const goodAuthorize = (): string => {
  const { client_id, redirect_uri } = environment().credentials.webapp
  const fields = {
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  return new URLSearchParams(fields).toString()
}

const ANSWERS: readonly (readonly [string, () => Promise<Reply>, number])[] = [
  ['core: a list', async () => connect().core('skus', { token: await accessToken('integration') }), 200],
  ['core: no token', () => connect().core('skus'), 401],
  [
    'core: nothing there',
    async () => connect().core('nothing', { token: await accessToken('integration') }),
    404,
  ],
  [
    'metrics: a value',
    async () => connect().metrics('orders/stats', STATS, { token: await accessToken('integration') }),
    200,
  ],
  ['metrics: no token', () => connect().metrics('orders/stats', STATS), 401],
  [
    'metrics: wrong version',
    async () =>
      connect().metrics('orders/stats', STATS, {
        token: await accessToken('integration'),
        headers: { Accept: METRICS_ACCEPT.replace('v1', 'v9') },
      }),
    406,
  ],
  ['auth: a refusal', () => connect().token({}), 400],
  ['auth: keys', () => connect().auth('GET', '/.well-known/jwks.json'), 200],
  ['auth: provisioning without a token', () => connect().auth('GET', '/provisioning/users'), 401],
  ['auth: the sign-in page', () => authorizePage(goodAuthorize()), 200],
  ['auth: the page of an unknown client', () => authorizePage('client_id=nobody'), 400],
  ['the gateway: nothing there', () => connect().raw('GET', `${demo().base_url}/nothing`), 404],
]

test.each(ANSWERS)('%s says nothing of the server and cannot be sniffed', async (_name, ask, status) => {
  const reply = await ask()
  expect({ status: reply.status, text: reply.text.slice(0, 200) }).toMatchObject({ status })
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  expect(reply.headers['x-powered-by']).toBeUndefined()
  expect(reply.headers['server'] ?? '').not.toMatch(/\d|express|node/i)
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(reply.headers['content-type']).toBeDefined()
})

describe('forbids caches to store what holds a secret', () => {
  test('tokens', async () => {
    const { client_id, client_secret } = environment().credentials.integration
    const reply = await connect().token({ grant_type: 'client_credentials', client_id, client_secret })
    expect(reply.headers['cache-control']).toContain('no-store')
  })

  test.each(['client_id=nobody', undefined])('the sign-in page: %s', async (query) => {
    const { headers } = await authorizePage(query ?? goodAuthorize())
    expect(headers['cache-control']).toContain('no-store')
  })
})

test.each(['client_id=nobody', undefined])(
  'the sign-in page runs no script and is framed by nobody: %s',
  async (query) => {
    const { headers } = await authorizePage(query ?? goodAuthorize())
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-inline')
    expect(headers['referrer-policy']).toBe('no-referrer')
  },
)

test.each([
  [
    'core',
    async (origin: string) =>
      connect().core('skus', { token: await accessToken('integration'), headers: { Origin: origin } }),
  ],
  [
    'metrics',
    async (origin: string) =>
      connect().metrics('orders/stats', STATS, {
        token: await accessToken('integration'),
        headers: { Origin: origin },
      }),
  ],
] as const)('%s answers pages of any origin, but never with cookies', async (_name, ask) => {
  const { headers } = await ask('https://shop.example')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
  expect(headers['set-cookie']).toBeUndefined()
})
