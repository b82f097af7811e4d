import { Secret } from '@merx/config/secret'
import { inProcessClient } from '@merx/testing/in-process-client'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import { allowCrossOrigin } from '../../src/cross-origin.ts'
import { healthRoutes } from '../../src/health.ts'
import { listen } from '../../src/listen.ts'
import { methodNotAllowed } from '../../src/method-not-allowed.ts'
import { requireServiceKey } from '../../src/service-key.ts'
import { sendRaw, testApp } from './test-app.ts'

const fine = async (): Promise<void> => undefined

describe('methodNotAllowed', () => {
  const { app } = testApp((a) => {
    a.route('/read')
      .get((_req, res) => void res.json({}))
      .all(methodNotAllowed(['GET'], 'method_not_allowed'))
    a.route('/query').all(methodNotAllowed(['POST'], 'metrics_method_not_allowed'))
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'refuses %s with 405 and names the allowed methods',
    async (method) => {
      const { status, headers, body } = await inProcessClient(app).request(method, '/read')
      expect(status).toBe(405)
      expect(headers.allow).toBe('GET, HEAD')
      expect(body).toMatchObject({
        errors: [{ detail: `${method} is not allowed here; allowed: GET, HEAD` }],
      })
    },
  )

  it('leaves allowed methods alone, HEAD with GET', async () => {
    expect((await inProcessClient(app).get('/read')).status).toBe(200)
    expect((await inProcessClient(app).request('HEAD', '/read')).status).toBe(200)
  })

  it.each(['GET', 'HEAD'])('refuses %s where only POST is allowed', async (method) => {
    const { status, headers } = await inProcessClient(app).request(method, '/query')
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })

  it.each([
    ['/read', 'GET, HEAD, OPTIONS'],
    ['/query', 'POST, OPTIONS'],
    ['*', 'GET, POST, PATCH, DELETE, HEAD, OPTIONS'],
  ])('answers OPTIONS of %s with 204 and the allowed methods', async (path, allow) => {
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    const head = `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const { status, headers, body } = await sendRaw(server.port, head)
    await server.close()
    expect([status, headers['allow'], body]).toEqual([204, allow, ''])
  })
})

describe('health', () => {
  const client = (ready: Record<string, () => Promise<void>>, timeoutMs?: number) => {
    const { log, lines } = createRecordingLogger()
    const options = timeoutMs === undefined ? { ready, log } : { ready, log, timeoutMs }
    const { app } = testApp((a) => a.use(healthRoutes(options)))
    return { get: (path: string) => inProcessClient(app).get(path), lines }
  }

  it('is live without asking any dependency', async () => {
    const failing = async () => {
      throw new Error('asked')
    }
    const { status, body, headers } = await client({ failing }).get('/health/live')
    expect([status, body]).toEqual([200, { status: 'ok' }])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('shows details when there are any, ready or not', async () => {
    const details = () => ({ ingest: { lag_ms: 12 } })
    for (const [check, status] of [
      [async () => undefined, 200],
      [async () => Promise.reject(new Error('unavailable')), 503],
    ] as const) {
      const { app } = testApp((a) => a.use(healthRoutes({ ready: { check }, details })))
      const answer = await inProcessClient(app).get('/health/ready')
      expect([answer.status, (answer.body as { details: unknown }).details]).toEqual([status, details()])
    }
  })

  it('is ready when every dependency is', async () => {
    const { status, body } = await client({ database: fine, redis: fine }).get('/health/ready')
    expect([status, body]).toEqual([200, { status: 'ok', checks: { database: 'ok', redis: 'ok' } }])
  })

  it('is not ready when one fails: names it, and keeps why for the log', async () => {
    const database = async () => {
      throw new Error('refused by 10.0.0.7')
    }
    const { get, lines } = client({ database, redis: fine })
    const { status, body, text } = await get('/health/ready')
    expect([status, body]).toEqual([
      503,
      { status: 'unavailable', checks: { database: 'failing', redis: 'ok' } },
    ])
    expect(text).not.toContain('10.0.0.7')
    expect(lines).toMatchObject([
      { level: 'warn', check: 'database', err: { message: 'refused by 10.0.0.7' } },
    ])
  })

  it('takes a dependency that does not answer for failing', async () => {
    const silent = () => new Promise<void>(() => undefined)
    const { status, body } = await client({ silent }, 5).get('/health/ready')
    expect([status, body]).toEqual([503, { status: 'unavailable', checks: { silent: 'failing' } }])
  })

  it('takes a check that throws before its promise for failing', async () => {
    const broken = (): Promise<void> => {
      throw new TypeError('not a function')
    }
    expect((await client({ broken }).get('/health/ready')).status).toBe(503)
  })
})

describe('requireServiceKey', () => {
  const { app } = testApp((a) => {
    a.use('/internal', requireServiceKey(new Secret('an-internal-key-of-some-length')))
    a.get('/internal/ping', (_req, res) => {
      res.json({ ok: true })
    })
  })

  it('lets the key through, whatever the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer']) {
      const headers = { Authorization: `${scheme} an-internal-key-of-some-length` }
      expect((await inProcessClient(app).get('/internal/ping', { headers })).status).toBe(200)
    }
  })

  it('takes a key that is a phrase, as the configuration does', async () => {
    const { app: phrased } = testApp((a) => {
      a.use(requireServiceKey(new Secret('a key of several words')))
      a.get('/', (_req, res) => void res.json({}))
    })
    const statusOf = async (key: string) =>
      (await inProcessClient(phrased).get('/', { headers: { Authorization: `Bearer ${key}` } })).status
    expect([await statusOf('a key of several words'), await statusOf('a key of')]).toEqual([200, 401])
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another key', 'Bearer another-internal-key-of-length'],
    ['a longer key', 'Bearer an-internal-key-of-some-length1'],
    ['a shorter key', 'Bearer an-internal-key-of-some-lengt'],
    ['another scheme', 'Basic an-internal-key-of-some-length'],
    ['the key alone', 'an-internal-key-of-some-length'],
    ['something behind the key', 'Bearer an-internal-key-of-some-length x'],
  ])('refuses %s with 401 and a challenge', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization }
    const response = await inProcessClient(app).get('/internal/ping', { headers })
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer realm="internal"')
    expect(response.body).toMatchObject({ errors: [{ code: 'SERVICE_KEY_NOT_VALID' }] })
    expect(response.text).not.toContain('an-internal-key')
  })
})

describe('allowCrossOrigin', () => {
  const { app } = testApp((a) => {
    a.use(allowCrossOrigin({ methods: ['GET', 'POST'] }))
    a.route('/read')
      .get((_req, res) => void res.json({}))
      .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  })
  const origin = { Origin: 'https://shop.example' }

  it('answers preflights with the allowed and the exposed headers', async () => {
    const headers = { ...origin, 'Access-Control-Request-Method': 'GET' }
    const response = await inProcessClient(app).request('OPTIONS', '/read', { headers })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate, baggage',
      'access-control-expose-headers': expect.stringContaining('X-Ratelimit-Remaining') as string,
      'access-control-max-age': '7200',
    })
  })

  it.each(['/read', '/nowhere'])('lets pages read answers, errors too: %s', async (path) => {
    const { headers } = await inProcessClient(app).get(path, { headers: origin })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']).toContain('X-Ratelimit-Remaining')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('adds nothing for callers that are no pages', async () => {
    const { headers } = await inProcessClient(app).get('/read')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('leaves an OPTIONS that is not a preflight to the routes', async () => {
    const { status, headers } = await inProcessClient(app).request('OPTIONS', '/read', { headers: origin })
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })
})
