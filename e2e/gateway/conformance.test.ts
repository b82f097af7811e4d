/** What both gateways owe: the nginx of production and the one inside `npm start` answer every case alike. */
import { send } from '../support/send.ts'
import type { Seen } from './echo-service.ts'
import { jsonOf, sendRaw, statusOf } from './raw.ts'
import { DOMAIN, TARGETS, type Addresses, type Target } from './targets.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`

describe.each(TARGETS)('the gateway: $name', ({ start }) => {
  let target: Target
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target.stop())

  const ask = (
    side: keyof Addresses,
    path: string,
    headers: Readonly<Record<string, string | undefined>> = {},
    options: { readonly trusted?: boolean; readonly method?: string; readonly body?: string } = {},
  ) => {
    const { trusted = false, ...request } = options
    const addresses = trusted ? target.behind : target.open
    return send({ url: `${addresses[side]}${path}`, headers, from: '127.0.0.1', ...request })
  }
  const see = async (...parameters: Parameters<typeof ask>): Promise<Seen> => {
    const reply = await ask(...parameters)
    expect({ status: reply.status, text: reply.text.slice(0, 300) }).toMatchObject({ status: 200 })
    return reply.json<Seen>()
  }

  describe('routes by path', () => {
    test.each([
      ['base', '/api', 'core'],
      ['base', '/api/skus?page%5Bsize%5D=2&filter%5Bq%5D%5Bname_eq%5D=a%2Fb', 'core'],
      ['base', '/api/imports', 'core'],
      ['base', '/api//skus', 'core'],
      ['base', '/api/..%2fskus/%41', 'core'],
      ['base', '/metrics/orders/stats', 'metrics'],
      ['base', '/metrics?x', 'metrics'],
      ['base', '/oauth/tokeninfo', 'auth'],
      ['base', '/provisioning/users?sort=-id', 'auth'],
      ['base', '/', 'console'],
      ['base', '/?sign_in=failed', 'console'],
      ['base', '/console', 'console'],
      ['base', '/console/orders?text=a%2Fb', 'console'],
      ['auth', '/oauth/token', 'auth'],
      ['auth', '/api/skus', 'auth'],
      ['auth', '/', 'auth'],
    ] as const)('%s %s goes to %s with the URL untouched', async (side, url, service) => {
      expect(await see(side, url)).toMatchObject({ service, url })
    })

    test.each([
      '//',
      '/consoles',
      '/apis',
      '/API/skus',
      '//api/skus',
      '/%61pi/skus',
      '/oauth/token',
      '/oauth/tokeninfos',
      '/provisionings',
      '/internal/access-state',
      '//internal/access-state',
      '/%69nternal/order-feed',
      '/./internal/order-feed',
      '/x/../internal/order-feed',
      '/internal%2forder-feed',
      '/health/ready',
      '/health/live',
      '/status',
      '/admin',
      '/favicon.ico',
      '/index.html',
    ])('nothing is at %s: a JSON 404 with a request id', async (path) => {
      const reply = await ask('base', path)
      expect(reply.status).toBe(404)
      expect(reply.headers['content-type']).toMatch(/^application\/vnd\.api\+json/)
      expect(reply.headers['x-request-id']).toMatch(UUID)
      expect(reply.headers['x-content-type-options']).toBe('nosniff')
      expect(reply.json()).toMatchObject({ errors: [{ code: 'NOT_FOUND', status: '404' }] })
    })

    // What a service gets is what was written, and none has /internal on its public port.
    test.each([
      '/api/../internal/order-feed',
      '/api/%2e%2e/internal/order-feed',
      '/api/..;/internal/order-feed',
      '/metrics/..%2f..%2finternal/ingest',
      '/oauth/tokeninfo/../../internal/access-state',
    ])('%s is no way around: it stays what it is', async (url) => {
      const reply = await ask('base', url)
      expect([200, 400, 404]).toContain(reply.status)
      if (reply.status === 200) expect(reply.json<Seen>().url).toBe(url)
    })

    test('understands the absolute form of a request line', async () => {
      const { host } = new URL(target.open.base)
      const answer = await sendRaw(
        target.open.base,
        `GET http://${host}/api/skus?a=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expect(statusOf(answer)).toBe(200)
      expect(answer).toContain('"url":"/api/skus?a=1"')
    })
  })

  describe('routes by name', () => {
    test.each([
      ['base', `auth.${DOMAIN}`, '/oauth/token', 'auth'],
      ['base', `AUTH.${DOMAIN}:8443`, '/oauth/token', 'auth'],
      ['auth', `fashion-house.${DOMAIN}`, '/api/skus', 'core'],
      ['auth', `fashion-house.${DOMAIN}:8080`, '/metrics/orders/stats', 'metrics'],
    ] as const)('%s port, Host %s: %s goes to %s', async (side, host, path, service) => {
      expect(await see(side, path, { Host: host })).toMatchObject({ service, headers: { host } })
    })

    test.each([
      DOMAIN,
      `a.b.${DOMAIN}`,
      `auth.${DOMAIN}.example.com`,
      `auth-${DOMAIN}`,
      'localhost',
      '127.0.0.1',
    ])('routes an unknown host name by the port: %s', async (host) => {
      expect(await see('base', '/api/skus', { Host: host })).toMatchObject({ service: 'core' })
      expect(await see('auth', '/api/skus', { Host: host })).toMatchObject({ service: 'auth' })
    })

    test.each(['core:3102', 'auth:3101', '127.0.0.1:3102', 'internal', 'metrics'])(
      'no name leads inside: %s',
      async (host) => {
        const reply = await ask('base', '/internal/order-feed', { Host: host })
        expect(reply.status).toBe(404)
      },
    )
  })

  describe('request ids and traces', () => {
    test('one is made, passed on, and answered', async () => {
      const reply = await ask('base', '/api/skus')
      const { requestId } = reply.json<Seen>()
      expect(requestId).toMatch(UUID)
      expect(reply.headers['x-request-id']).toBe(requestId)
    })

    test('two requests have two', async () => {
      expect((await see('base', '/api/skus')).requestId).not.toBe((await see('base', '/api/skus')).requestId)
    })

    test.each(['base', 'auth'] as const)(
      '%s: ignores the request id and the trace of an untrusted caller',
      async (side) => {
        const given = { 'X-Request-Id': ID, traceparent: TRACEPARENT, tracestate: 'a=1' }
        const { requestId, headers } = await see(side, '/api/skus', given)
        expect(requestId).not.toBe(ID)
        expect(requestId.replaceAll('-', '')).not.toBe(TRACE)
        expect(headers['traceparent']).toBeUndefined()
        expect(headers['tracestate']).toBeUndefined()
      },
    )

    test("a trusted hop's id is taken over", async () => {
      const reply = await ask('base', '/api/skus', { 'X-Request-Id': ID }, { trusted: true })
      expect(reply.json<Seen>().requestId).toBe(ID)
      expect(reply.headers['x-request-id']).toBe(ID)
    })

    test.each(['x', `${ID}${ID}`, "'; DROP TABLE--", '{"a":1}'])(
      'what is no UUID is replaced, whoever sent it: %s',
      async (id) => {
        const { requestId } = await see('base', '/api/skus', { 'X-Request-Id': id }, { trusted: true })
        expect(requestId).toMatch(UUID)
        expect(requestId).not.toContain(ID.slice(0, 8))
      },
    )

    test('continues the trace of a trusted hop', async () => {
      const given = { traceparent: TRACEPARENT, tracestate: 'a=1' }
      const { headers } = await see('base', '/api/skus', given, { trusted: true })
      expect(headers).toMatchObject(given)
    })
  })

  describe('the address and the scheme of the client', () => {
    const CLAIMS = {
      'X-Forwarded-For': '203.0.113.9',
      Forwarded: 'for=203.0.113.9;proto=https',
      'X-Real-IP': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
    }

    test.each(['base', 'auth'] as const)('%s: nobody can claim another', async (side) => {
      const { client, protocol } = await see(side, '/api/skus', CLAIMS)
      expect(client).toMatch(/^(::ffff:)?127\.0\.0\.1$/)
      expect(protocol).toBe('http')
    })

    test.each(['base', 'auth'] as const)('%s: a trusted hop names them', async (side) => {
      const { client, protocol } = await see(side, '/api/skus', CLAIMS, { trusted: true })
      expect(client).toBe('203.0.113.9')
      expect(protocol).toBe('https')
    })

    test('of several addresses the last before the trusted hops counts', async () => {
      const claimed = { 'X-Forwarded-For': '198.51.100.1, 10.0.0.1, 203.0.113.9' }
      expect((await see('base', '/api/skus', claimed, { trusted: true })).client).toBe('203.0.113.9')
    })
  })

  describe('requests that are none', () => {
    const refusals = [
      ['two Host headers', 'GET /api/skus HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n', 400],
      ['the same Host twice', 'GET /api/skus HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n', 400],
      ['no Host', 'GET /api/skus HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['a Host that is none', 'GET /api/skus HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
      ['no HTTP', 'HELLO THERE\r\n\r\n', 400],
      [
        'a length and chunks',
        'POST /api/skus HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
      ],
      [
        'two lengths',
        'POST /api/skus HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
        400,
      ],
      [
        'a header of 20 KB',
        `GET /api/skus HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
      ],
      [
        'a request line of 20 KB',
        `GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        431,
      ],
    ] as const

    test.each(refusals)('base: %s is refused in JSON:API', async (_what, text, status) => {
      const answer = await sendRaw(target.open.base, text)
      expect({ answer, status: statusOf(answer) }).toMatchObject({ status })
      expect(answer).toMatch(/content-type: application\/vnd\.api\+json/i)
      expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r/i)
      expect(jsonOf(answer)).toMatchObject({ errors: [{ status: String(status) }] })
    })

    const tooLarge = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`

    test.each([
      ['base', '/metrics/orders/stats', { error: { status: 431, code: 'REQUEST_HEADER_FIELDS_TOO_LARGE' } }],
      ['base', '/metrics?x', { error: { status: 431 } }],
      ['base', '/metricsx', { errors: [{ status: '431', code: 'HEADERS_TOO_LARGE' }] }],
      ['base', '/oauth/tokeninfo', { error: 'headers_too_large' }],
      ['base', '/provisioning/users', { errors: [{ status: '431', code: 'HEADERS_TOO_LARGE' }] }],
      ['auth', '/oauth/token', { error: 'headers_too_large' }],
      ['auth', '/provisioning/users', { errors: [{ status: '431', code: 'HEADERS_TOO_LARGE' }] }],
    ] as const)(
      '%s: headers too large for %s are refused in the words of who is there',
      async (side, path, body) => {
        const answer = await sendRaw(target.open[side], tooLarge(path))
        expect(statusOf(answer)).toBe(431)
        expect(jsonOf(answer)).toMatchObject(body)
      },
    )

    test('a second request cannot hide in the body of a first', async () => {
      const answer = await sendRaw(
        target.open.base,
        'POST /api/skus HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n' +
          '0\r\n\r\nGET /api/hidden HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      )
      expect(answer).not.toContain('/api/hidden')
    })

    test.each(['CONNECT a.example:443', 'TRACE /api/skus'])('%s opens nothing', async (line) => {
      const answer = await sendRaw(
        target.open.base,
        `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      )
      if (line.startsWith('CONNECT')) expect([400, 405]).toContain(statusOf(answer))
      expect(answer).not.toMatch(/<html/i)
    })
  })

  describe('passes on', () => {
    test.each(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])('the method %s', async (method) => {
      const body = method === 'GET' ? undefined : '{"a":1}'
      const seen = await see('base', '/api/skus', {}, { method, ...(body === undefined ? {} : { body }) })
      expect(seen).toMatchObject({ method, bodyBytes: body?.length ?? 0 })
    })

    test('what a client authorizes itself with, and what it accepts', async () => {
      const headers = {
        Authorization: 'Bearer abc',
        Accept: 'application/vnd.api.v1+json',
        Cookie: 'a=b',
        Origin: 'https://x',
      }
      const seen = await see('base', '/metrics/orders/stats', headers)
      for (const [name, value] of Object.entries(headers))
        expect(seen.headers[name.toLowerCase()]).toBe(value)
    })

    test('a body of a megabyte', async () => {
      const body = 'x'.repeat(1_048_576)
      expect(await see('base', '/api/skus', {}, { method: 'POST', body })).toMatchObject({
        bodyBytes: body.length,
      })
    })

    test('a body of ten megabytes to imports', async () => {
      const body = 'x'.repeat(10_485_760)
      const seen = await see('base', '/api/imports', {}, { method: 'POST', body })
      expect(seen.bodyBytes).toBe(body.length)
    })

    test.each([400, 401, 404, 413, 422, 429, 500, 503])('a %s of a service, as it is', async (status) => {
      const reply = await ask('base', `/api/skus?status=${status}`)
      expect(reply.status).toBe(status)
      expect(reply.json<Seen>().service).toBe('core')
    })

    test('what a stream has sent, while it goes on', async () => {
      const closing = new AbortController()
      const { body, headers } = await fetch(`${target.open.base}/api/events/stream?stream`, {
        signal: closing.signal,
      })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader?.read())?.value).toBe('data: first\n\n')
      expect(headers.get('content-type')).toBe('text/event-stream')
      closing.abort()
      await expect(reader?.read()).rejects.toThrow('aborted')
    })

    test('chunks, and two requests on one connection', async () => {
      const answer = await sendRaw(
        target.open.base,
        'POST /api/skus HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n' +
          'GET /metrics/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      )
      expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
      expect(answer).toContain('"bodyBytes":5')
      expect(answer).toContain('"service":"metrics"')
    })
  })
})
