/** Whatever is wrong with a request, each interface answers in its own dialect, as JSON, with a request id. */
import { connect as openSocket } from 'node:net'
import { accessToken, clientCredentials, connect, JSON_API, METRICS_ACCEPT } from './support/connect.ts'
import { demo } from './support/demo.ts'
import {
  expectCoreError,
  expectDecent,
  expectMetricsError,
  expectOAuthError,
} from './support/expect-errors.ts'
import { COLLECTION_TYPES } from './support/resource-types.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' } }
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json' }

const integration = () => accessToken('integration')

const core = async (path: string, request: Parameters<ReturnType<typeof connect>['core']>[1] = {}) =>
  connect().core(path, { token: await integration(), ...request })

describe('unknown paths', () => {
  test.each([
    'nothing',
    'skus/x/y/z/0',
    'Skus',
    'SKUS',
    'sku',
    '',
    'internal/order-feed',
    'constructor',
    '__proto__',
  ])('core: /api/%s', async (path) => {
    expectCoreError(await core(path), 404)
  })

  test.each([
    '//',
    '/nothing',
    '/api',
    '/apis/skus',
    '/internal/order-feed',
    '/health/ready',
    '/favicon.ico',
    '/.env',
  ])('base host: %s', async (path) => {
    const reply = await connect().raw('GET', `${demo().base_url}${path}`)
    expect([401, 404]).toContain(reply.status)
    expectDecent(reply)
    expect(reply.headers['content-type']).toMatch(/json/)
    expect(reply.json()).toEqual(expect.any(Object))
  })

  test.each([
    '/',
    '/nothing',
    '/oauth',
    '/oauth/tokens',
    '/internal/access-state',
    '/.well-known/nothing',
    '/api/skus',
  ])('auth host: %s', async (path) => {
    const reply = await connect().auth('GET', path)
    expectOAuthError(reply, 404)
  })

  test.each(['orders/nothing', 'nothing/stats', 'orders', ''])('metrics: /metrics/%s', async (path) => {
    expectMetricsError(await connect().metrics(path, STATS, { token: await integration() }), 404, 'NOT_FOUND')
  })

  test.each([
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    'skus/%00',
    'skus/%ff',
    'skus/%',
    'skus/%zz',
    'skus//',
    '%5C',
  ])('core: the odd path /api/%s', async (path) => {
    const reply = await core(path)
    expect([400, 404]).toContain(reply.status)
    expectCoreError(reply, reply.status)
  })

  test.each(['/oauth/%', '/%ff', '/oauth%2ftoken'])('auth: the odd path %s', async (path) => {
    const reply = await connect().auth('POST', path, JSON_TYPE, {})
    expect([400, 404]).toContain(reply.status)
    expectOAuthError(reply, reply.status)
  })

  test.each(['orders/%', '%ff/stats'])('metrics: the odd path %s', async (path) => {
    expectMetricsError(await connect().metrics(path, STATS, { token: await integration() }), 404, 'NOT_FOUND')
  })

  test.each(COLLECTION_TYPES)('core: an id of %s that never was', async (type) => {
    for (const id of ['aaaaaaaaaa', 'zzzzzzzzzz', '1', '0', '-1', 'a', 'A'.repeat(300), "x'--"]) {
      expectCoreError(await core(`${type}/${encodeURIComponent(id)}`), 404, 'RECORD_NOT_FOUND')
    }
  })
})

describe('wrong methods', () => {
  test.each(['PUT', 'DELETE', 'PATCH'])('core: %s on a collection', async (method) => {
    const reply = await core('skus', { method })
    expectCoreError(reply, 405, 'METHOD_NOT_ALLOWED')
    expect(reply.headers.allow).toContain('GET')
  })

  test.each(['PUT', 'POST'])('core: %s on a record', async (method) => {
    const reply = await core('skus/aaaaaaaaaa', { method })
    expectCoreError(reply, 405, 'METHOD_NOT_ALLOWED')
    expect(reply.headers.allow).toContain('PATCH')
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('auth: %s on the token endpoint', async (method) => {
    const reply = await connect().auth(method, '/oauth/token', JSON_TYPE)
    expectOAuthError(reply, 405)
    expect(reply.headers.allow).toContain('POST')
  })

  test.each(['GET', 'DELETE'])('auth: %s on the revocation endpoint', async (method) => {
    expectOAuthError(await connect().auth(method, '/oauth/revoke', JSON_TYPE), 405)
  })

  test('auth: POST on the key set', async () => {
    expectOAuthError(await connect().auth('POST', '/.well-known/jwks.json', JSON_TYPE, {}), 405)
  })

  test('core: HEAD answers like GET without a body', async () => {
    const reply = await core('skus', { method: 'HEAD' })
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '' })
  })
})

const MALFORMED = ['{', '{"data":', '{"data": {}, }', "{'a': 1}", 'nothing', '{"a":1}{"b":2}', '\u0001']

describe('malformed JSON', () => {
  test.each(MALFORMED)('core: %j', async (body) => {
    expectCoreError(await core('skus', { method: 'POST', body }), 400)
  })

  test.each(MALFORMED)('auth: %j', async (body) => {
    expectOAuthError(await connect().auth('POST', '/oauth/token', JSON_TYPE, body), 400, 'invalid_request')
  })

  test.each(MALFORMED)('metrics: %j', async (body) => {
    expectMetricsError(
      await connect().metrics('orders/stats', body, { token: await integration() }),
      400,
      'BAD_REQUEST',
    )
  })

  test('the message does not repeat the body', async () => {
    const reply = await connect().auth('POST', '/oauth/token', JSON_TYPE, '{"client_secret": "hush-hush"')
    expect(reply.text).not.toContain('hush')
  })
})

describe('oversized bodies', () => {
  const big = `{"data":"${'x'.repeat(12_000_000)}"}`

  test('core: 413', async () => {
    expectCoreError(await core('skus', { method: 'POST', body: big }), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('auth: 413', async () => {
    expectOAuthError(await connect().auth('POST', '/oauth/token', JSON_TYPE, big), 413)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expectOAuthError(await connect().auth('POST', '/oauth/token', form, `a=${'x'.repeat(2_000_000)}`), 413)
  })

  test('metrics: 413', async () => {
    expectMetricsError(
      await connect().metrics('orders/stats', big, { token: await integration() }),
      413,
      'PAYLOAD_TOO_LARGE',
    )
  })

  test('a form of very many fields is refused', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = Array.from({ length: 5_000 }, (_, index) => `a${index}=1`).join('&')
    const reply = await connect().auth('POST', '/oauth/token', form, body)
    expect([400, 413]).toContain(reply.status)
    expectOAuthError(reply, reply.status)
  })
})

describe('very long addresses and headers', () => {
  test('core: a query of 20 kB', async () => {
    const reply = await core('skus', { query: { 'filter[q][code_eq]': 'x'.repeat(20_000) } })
    expect([400, 414, 431]).toContain(reply.status)
    expectDecent(reply)
    expect(reply.json()).toEqual(expect.any(Object))
  })

  test.each(['base_url', 'auth_url'] as const)('%s: a header of 40 kB', async (host) => {
    const reply = await connect().raw('GET', `${demo()[host]}/api/skus`, { 'X-Long': 'x'.repeat(40_000) })
    expect(reply.status).toBe(431)
    expect(reply.headers['content-type']).toMatch(/json/)
    expect(reply.json()).toEqual(expect.any(Object))
    expectDecent(reply)
  })

  test.each(['base_url', 'auth_url'] as const)('%s: bytes that are no HTTP', async (host) => {
    const { port } = new URL(demo()[host])
    const text = await new Promise<string>((resolve, reject) => {
      const socket = openSocket(Number(port), '127.0.0.1', () => socket.end('HELLO THERE\r\n\r\n'))
      let received = ''
      socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    expect(text).toMatch(/^HTTP\/1\.1 400/)
    expect(text).toMatch(/content-type: application\/(vnd\.api\+)?json/i)
    expect(text).toMatch(/x-request-id: [0-9a-f-]{36}/i)
  })
})

describe('wrong media types', () => {
  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', '', undefined])(
    'core: Content-Type %s on POST',
    async (type) => {
      const reply = await core('customer_groups', {
        method: 'POST',
        body: { data: { type: 'customer_groups', attributes: { name: 'x' } } },
        headers: { 'Content-Type': type },
      })
      expectCoreError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('core: a Content-Type on GET does no harm (the JavaScript SDK always sends one)', async () => {
    expect((await core('skus', { headers: { 'Content-Type': JSON_API } })).status).toBe(200)
  })

  test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', undefined])(
    'auth: Content-Type %s',
    async (type) => {
      const body = JSON.stringify(clientCredentials('integration'))
      expectOAuthError(await connect().auth('POST', '/oauth/token', { 'Content-Type': type }, body), 415)
    },
  )

  test('a compressed body of an unknown kind is refused', async () => {
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'x-nothing' }
    const reply = await connect().auth('POST', '/oauth/token', headers, clientCredentials('integration'))
    expectOAuthError(reply, 415)
  })
})

describe('request ids', () => {
  const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

  test('a caller who is no trusted hop cannot choose one, on any of the three interfaces', async () => {
    const headers = { 'X-Request-Id': ID }
    const token = await integration()
    const replies = [
      await connect().core('skus', { token, headers }),
      await connect().metrics('orders/stats', STATS, { token, headers }),
      await connect().auth('GET', '/.well-known/jwks.json', headers),
    ]
    const ids = replies.map((reply) => reply.headers['x-request-id'])
    expect(ids).not.toContain(ID)
    expect(new Set(ids).size).toBe(3)
    for (const reply of replies) expectDecent(reply)
  })

  test.each(['x', '1', "'; DROP TABLE--", `${ID}${ID}`, '{"a":1}'])(
    'anything else is replaced: %s',
    async (id) => {
      const reply = await connect().core('skus', {
        token: await integration(),
        headers: { 'X-Request-Id': id },
      })
      expect(reply.headers['x-request-id']).not.toBe(id)
      expectDecent(reply)
    },
  )

  test('successes carry one too, and no server names itself', async () => {
    const token = await integration()
    const replies = [
      await connect().core('skus', { token }),
      await connect().metrics('orders/stats', STATS, { token, headers: { Accept: METRICS_ACCEPT } }),
      await connect().token(clientCredentials('integration')),
    ]
    for (const reply of replies) {
      expectDecent(reply)
      expect(reply.headers['x-content-type-options']).toBe('nosniff')
      expect(reply.headers.server).toBeUndefined()
    }
  })
})
