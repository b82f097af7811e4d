import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { currentContext } from '@merx/telemetry/request-context'
import { inProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import type { Express } from 'express'
import { beginStream } from '../../src/begin-stream.ts'
import { createApp } from '../../src/create-app.ts'
import { requestIdOf } from '../../src/dialect.ts'
import { jsonBody } from '../../src/json-body.ts'
import { listen } from '../../src/listen.ts'
import { sendRaw, testApp } from './test-app.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const ID = '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d'

const mount = (app: Express): void => {
  app.get('/ip', (req, res) => {
    res.json({ ip: req.ip })
  })
  app.get('/id', (_req, res) => {
    res.json({ local: requestIdOf(res), context: currentContext()?.requestId })
  })
  app.get('/items/:name', (req, res) => {
    res.json({ name: req.params.name })
  })
  const body = jsonBody({
    accept: ['application/json'],
    limitBytes: 100,
    wrongType: 'unsupported_media_type',
    malformed: 'bad_request',
    tooLarge: 'payload_too_large',
  })
  app.post('/id', body, (_req, res) => {
    res.json({ context: currentContext()?.requestId })
  })
}

describe('the request id', () => {
  it('is made when the caller sends none, and is in header, locals and context', async () => {
    const { headers, body } = await inProcessClient(testApp(mount).app).get('/id')
    const id = headers['x-request-id']
    expect(id).toMatch(UUID)
    expect(body).toEqual({ local: id, context: id })
  })

  it('is the one the caller sent when that is a UUID, in lower case', async () => {
    const client = inProcessClient(testApp(mount).app)
    const { headers } = await client.get('/id', { headers: { 'X-Request-Id': ID.toUpperCase() } })
    expect(headers['x-request-id']).toBe(ID)
  })

  it.each([
    ['a word', 'abc'],
    ['an empty value', ''],
    ['two UUIDs', `${ID}, ${ID}`],
    ['a UUID with something behind it', `${ID}"x`],
    ['10,000 characters', 'a'.repeat(10_000)],
  ])('is replaced when the caller sent %s', async (_name, given) => {
    const client = inProcessClient(testApp(mount).app)
    const { headers } = await client.get('/id', { headers: { 'X-Request-Id': given } })
    expect(headers['x-request-id']).toMatch(UUID)
    expect(headers['x-request-id']).not.toBe(ID)
  })

  it('is still in the context after the body was read', async () => {
    const client = inProcessClient(testApp(mount).app)
    const { body } = await client.post('/id', { body: { a: 1 }, headers: { 'X-Request-Id': ID } })
    expect(body).toEqual({ context: ID })
  })

  it('is on error answers too', async () => {
    const { status, headers } = await inProcessClient(testApp(mount).app).get('/nowhere')
    expect(status).toBe(404)
    expect(headers['x-request-id']).toMatch(UUID)
  })
})

describe('response headers', () => {
  it('forbid guessing the type, framing and running as a page, and do not name the software', async () => {
    const { headers } = await inProcessClient(testApp(mount).app).get('/id')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('etag')
  })
})

describe('the access log', () => {
  it('has one line a request: method, path without its query, status, milliseconds and request id', async () => {
    const { app, lines } = testApp(mount)
    await inProcessClient(app).get('/id?email=jane@example.com&token=abc', {
      headers: { 'X-Request-Id': ID },
    })
    const [line, ...others] = lines.filter(({ msg }) => msg === 'request')
    expect(others).toEqual([])
    expect(line).toMatchObject({ method: 'GET', path: '/id', status: 200, request_id: ID, level: 'info' })
    expect(typeof line?.ms).toBe('number')
    expect(JSON.stringify(lines)).not.toContain('jane')
  })

  it('names the codes of the errors answered', async () => {
    const { app, lines } = testApp(mount)
    await inProcessClient(app).get('/nowhere')
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
      status: 404,
      error_codes: ['not_found'],
    })
  })

  it('holds no token, whatever header it came in', async () => {
    const { app, lines } = testApp(mount)
    await inProcessClient(app).get('/id', { token: 'hunter2hunter2', headers: { Cookie: 'sid=hunter2' } })
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  it('says that the caller went away before the answer', async () => {
    const logged = Promise.withResolvers<undefined>()
    const { app, lines } = testApp((a) => {
      a.get('/slow', (_req, res) => {
        res.once('close', () => {
          logged.resolve(undefined)
        })
        controller.abort()
      })
    })
    const controller = new AbortController()
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    await expect(fetch(`${server.url}/slow`, { signal: controller.signal })).rejects.toThrow('aborted')
    await logged.promise
    await server.close()
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({ path: '/slow', is_aborted: true })
  })

  it('does not call a stream aborted whose caller has gone', async () => {
    const closed = Promise.withResolvers<undefined>()
    const { app, lines } = testApp((a) => {
      a.get('/stream', (_req, res) => {
        res.once('close', () => {
          closed.resolve(undefined)
        })
        beginStream(res, 'text/event-stream')
      })
    })
    const controller = new AbortController()
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    const { status, headers } = await fetch(`${server.url}/stream`, { signal: controller.signal })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect([headers.get('x-accel-buffering'), headers.get('cache-control')]).toEqual(['no', 'no-store'])
    controller.abort()
    await closed.promise
    await server.close()
    const line = lines.find(({ msg }) => msg === 'request')
    expect(line).toMatchObject({ path: '/stream', status: 200 })
    expect(line).not.toHaveProperty('is_aborted')
  })

  it('is quiet about health checks', async () => {
    const { app, lines } = testApp((a) => {
      a.get('/health/live', (_req, res) => {
        res.json({})
      })
    })
    await inProcessClient(app).get('/health/live')
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({ level: 'debug' })
  })
})

describe('the Host header', () => {
  it.each(['a/b', 'a b', '"><script>', 'user@a.example', 'a.example:http', ''])(
    'that is no host is refused with 400: %p',
    async (host) => {
      const server = await listen(testApp(mount).app, { host: '127.0.0.1', port: 0 })
      const answer = await sendRaw(
        server.port,
        `GET /id HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      await server.close()
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.body)).toMatchObject({
        errors: [
          {
            code: 'BAD_REQUEST',
            detail: expect.stringContaining('Host') as string,
            source: { header: 'Host' },
          },
        ],
      })
    },
  )

  it.each(['a', 'localhost:8080', '[::1]:8080'])('that is one is taken: %s', async (host) => {
    const { status } = await inProcessClient(testApp(mount).app).get('/id', { headers: { Host: host } })
    expect(status).toBe(200)
  })
})

describe('malformed paths', () => {
  it.each(['/items/%E0%A4%A', '/items/%', '/items/%zz', '/items/a%00b', '/%E0%A4%A/x', '/nowhere/%'])(
    'refuses %s with 400, saying how a percent sign is written',
    async (path) => {
      const { status, body } = await inProcessClient(testApp(mount).app).get(path)
      expect(status).toBe(400)
      expect(body).toMatchObject({
        errors: [{ code: 'BAD_REQUEST', detail: expect.stringContaining('%25') as string }],
      })
    },
  )

  it('serves properly encoded paths', async () => {
    const { body } = await inProcessClient(testApp(mount).app).get('/items/caf%C3%A9%25')
    expect(body).toEqual({ name: 'café%' })
  })

  it('leaves them to routes without parameters when configured so', async () => {
    const { app } = testApp(mount, { undecodablePaths: 'unknown' })
    for (const path of ['/nowhere/%', '/%E0%A4%A/x']) {
      const { status, body } = await inProcessClient(app).get(path)
      expect(status).toBe(404)
      expect(body).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    }
  })

  it('refuses with the code of the service when one is given', async () => {
    const { app } = testApp(mount, { malformed: 'metrics_request_not_valid' })
    const { body } = await inProcessClient(app).get('/items/%')
    expect(body).toMatchObject({ errors: [{ code: 'METRICS_REQUEST_NOT_VALID' }] })
  })
})

describe('the address of the caller', () => {
  const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.9' }

  it('is not believed from a header when no proxy is trusted', async () => {
    const { body } = await inProcessClient(testApp(mount).app).get('/ip', { headers })
    expect(body).toEqual({ ip: expect.stringMatching(/127\.0\.0\.1$/) as string })
  })

  it('is what the one trusted proxy saw', async () => {
    const { body } = await inProcessClient(testApp(mount, { trustProxy: 1 }).app).get('/ip', { headers })
    expect(body).toEqual({ ip: '198.51.100.9' })
  })

  it.each([-1, 1.5, Number.NaN])('cannot be configured with %d proxies', (trustProxy) => {
    const create = () =>
      createApp({
        service: 'try',
        log: silentLogger,
        trustProxy,
        encodeError: encodeJsonApi,
        internalError: 'internal_server_error',
      })
    expect(create).toThrow(`trustProxy is a number of proxies, 0 or more; got ${trustProxy}`)
  })
})
