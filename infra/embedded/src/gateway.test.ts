import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { ErrorCode } from '@merx/errors/catalogue'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import type { RawErrorCodes } from '@merx/http/raw-errors'
import { silentLogger } from '@merx/testing/silent-logger'
import request from 'supertest'
import { createGateway, createRawErrors } from './gateway.ts'

/** Answers with its own name and the URL it was given, so that a test sees who was asked for what. */
const named =
  (name: string): RequestListener =>
  (req, res) => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ name, url: req.url }))
  }

const gateway = createGateway(
  { auth: named('auth'), core: named('core'), metrics: named('metrics'), console: named('console') },
  { log: silentLogger, trustProxy: 0, domain: 'merx.localhost' },
)

describe('the gateway', () => {
  let server: Server
  beforeAll(() => {
    server = createServer(gateway.base)
  })
  afterAll(() => {
    server.close()
  })

  it.each([
    ['/api/skus?page%5Bnumber%5D=2', 'core'],
    ['/api', 'core'],
    ['/metrics/orders/stats', 'metrics'],
    ['/metrics', 'metrics'],
    ['/oauth/tokeninfo', 'auth'],
    ['/provisioning/users?page%5Bsize%5D=2', 'auth'],
    ['/', 'console'],
    ['/?a=b', 'console'],
    ['/console', 'console'],
    ['/console/orders', 'console'],
  ])('gives %s to %s with the URL untouched', async (url, name) => {
    const answer = await request(server).get(url)
    expect(answer.body).toEqual({ name, url })
  })

  it.each([
    '//',
    '/consoles',
    '/apis',
    '/API/skus',
    '//api/skus',
    '/oauth/token',
    '/provisionings',
    '/internal/access-state',
    '/health/live',
    '/%61pi',
  ])('answers %s with a JSON 404 that carries a request id', async (url) => {
    const answer = await request(server).get(url)
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/vnd.api+json')
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(answer.body).toMatchObject({ errors: [{ code: 'NOT_FOUND', status: '404' }] })
  })

  it('understands the absolute form of a request line', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    gateway.base(
      { url: 'http://shop.merx.localhost/api/skus', headers: {} } as never,
      { setHeader: () => undefined, end: (body: string) => resolve(body) } as never,
    )
    await expect(promise).resolves.toContain('"core"')
  })
})

describe('what never became a request', () => {
  const codes = (malformed: ErrorCode): RawErrorCodes => ({
    encodeError: encodeJsonApi,
    malformed,
    headersTooLarge: 'headers_too_large',
    timeout: 'request_timeout',
  })
  const auth = codes('invalid_request')
  const core = codes('bad_request')
  const metrics = codes('metrics_request_not_valid')
  const console = codes('not_found')
  const rawErrors = createRawErrors({ auth, core, metrics, console })

  it.each([
    ['base', '/metrics/orders/stats', metrics],
    ['base', '/metrics?a', metrics],
    ['base', 'http://shop.merx.localhost/metrics', metrics],
    ['base', '/metricsx', core],
    ['base', '/api/skus', core],
    ['base', '/oauth/tokeninfo', auth],
    ['base', '/provisioning/users?a', core],
    ['base', '/', console],
    ['base', '/console/orders', console],
    ['base', undefined, console],
    ['auth', '/oauth/token', auth],
    ['auth', '/metrics', auth],
    ['auth', '/provisioning/users?a', core],
    ['auth', '/provisionings', auth],
    ['auth', undefined, auth],
  ] as const)('is answered at %s %s as who is there would', (side, target, expected) => {
    expect(rawErrors[side](target)).toBe(expected)
  })
})
