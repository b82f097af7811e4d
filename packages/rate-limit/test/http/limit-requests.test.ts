import { AppError } from '@merx/errors/app-error'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { FakeClock } from '@merx/testing/fake-clock'
import { inProcessClient } from '@merx/testing/in-process-client'
import type { InProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { createLimiter } from '../../src/create-limiter.ts'
import { limitRequests } from '../../src/limit-requests.ts'
import { limitUnauthorized } from '../../src/limit-unauthorized.ts'

let clock: FakeClock
let client: InProcessClient

beforeEach(() => {
  clock = createFakeClock()
  const app = createApp({
    service: 'test',
    log: silentLogger,
    trustProxy: 1,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  const limiter = createLimiter({ clock })
  app.use(
    limitRequests({
      limiter,
      budget: (request) =>
        request.path === '/health'
          ? undefined
          : {
              class: request.method === 'GET' ? 'read_cacheable' : 'write',
              mode: 'test',
              endpoint: request.path,
            },
      exceeded: 'too_many_requests',
    }),
  )
  app.all('/*path', (_request, response) => void response.json({}))
  finishApp(app, { notFound: 'not_found', log: silentLogger })
  client = inProcessClient(app)
})

describe('limit requests', () => {
  it('sends every caller the average budget in whole numbers', async () => {
    const { status, headers } = await client.get('/api/skus')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '500',
      'x-ratelimit-interval': '60',
      'x-ratelimit-remaining': '499',
    })
    expect((await client.post('/api/skus')).headers).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
    })
  })

  it('answers 429 in the dialect of the service, with the wait and still the headers', async () => {
    for (let sent = 0; sent < 25; sent += 1) await client.post('/api/orders')
    clock.advance(3)
    const { status, headers, body } = await client.post('/api/orders')
    expect(status).toBe(429)
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('application/vnd.api+json') as string,
      'retry-after': '7',
      'x-ratelimit-limit': '100',
      'x-ratelimit-interval': '60',
      'x-ratelimit-remaining': '74',
    })
    expect(body).toMatchObject({
      errors: [
        {
          code: 'TOO_MANY_REQUESTS',
          status: '429',
          detail: 'at most 25 requests in 10 seconds to one endpoint; try again in 7 seconds',
        },
      ],
    })
  })

  it('lets the caller in again after the wait it named', async () => {
    for (let sent = 0; sent < 26; sent += 1) await client.post('/api/orders')
    const { headers } = await client.post('/api/orders')
    clock.advance(Number(headers['retry-after']))
    expect((await client.post('/api/orders')).status).toBe(200)
  })

  it('counts by the address the trusted proxy saw', async () => {
    const from = (ip: string) => client.post('/api/orders', { headers: { 'X-Forwarded-For': ip } })
    for (let sent = 0; sent < 25; sent += 1) await from('203.0.113.7')
    expect((await from('203.0.113.7')).status).toBe(429)
    expect((await from('203.0.113.8')).status).toBe(200)
    // An address the caller put in front itself is not believed.
    expect((await from('198.51.100.1, 203.0.113.7')).status).toBe(429)
  })

  it('leaves a request without a budget uncounted', async () => {
    const { headers } = await client.get('/health')
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })
})

describe('limit unauthorized', () => {
  const open = () => {
    const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
    const app = createApp({ service: 'test', log: silentLogger, trustProxy: 1, ...dialect })
    app.use((request, _response, next) => {
      const token = request.get('authorization')
      if (token === 'Bearer busy') throw new AppError('service_unavailable')
      next(token === 'Bearer valid' ? undefined : new AppError('invalid_token'))
    })
    app.all('/*path', (_request, response) => void response.json({}))
    app.use(
      limitUnauthorized({
        limiter: createLimiter({ clock }),
        unauthorized: 'invalid_token',
        exceeded: 'too_many_requests',
        endpoint: '/api',
      }),
    )
    finishApp(app, { notFound: 'not_found', log: silentLogger })
    const own = inProcessClient(app)
    return async (token: string, ip = '203.0.113.7') =>
      own.get('/api/skus', { headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': ip } })
  }

  it('answers 401 up to the budget, then 429 with the wait', async () => {
    const send = open()
    for (let sent = 0; sent < 25; sent += 1) expect((await send(`forged-${sent}`)).status).toBe(401)
    const { status, headers } = await send('forged')
    expect(status).toBe(429)
    expect(headers).toMatchObject({ 'retry-after': '10', 'x-ratelimit-limit': '100' })
    clock.advance(10.001)
    expect((await send('forged')).status).toBe(401)
  })

  it('refuses neither another address nor a valid token from the same one', async () => {
    const send = open()
    for (let sent = 0; sent < 40; sent += 1) await send('forged')
    expect((await send('forged', '203.0.113.8')).status).toBe(401)
    expect((await send('valid')).status).toBe(200)
  })

  it('counts no other error', async () => {
    const send = open()
    for (let sent = 0; sent < 40; sent += 1) expect((await send('busy')).status).toBe(503)
    expect((await send('forged')).status).toBe(401)
  })
})
