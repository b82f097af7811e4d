import { AppError, AppErrors } from '@merx/errors/app-error'
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { encodeOAuth } from '@merx/errors/encode-oauth'
import { inProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import express, { type Express } from 'express'
import { finishApp } from '../../src/finish-app.ts'
import { testApp } from './test-app.ts'

const circular: Record<string, unknown> = {}
circular.self = circular

const throwing: Readonly<Record<string, () => unknown>> = {
  refusal: () => new AppError('invalid_include', { detail: 'no "x"', source: { parameter: 'include' } }),
  several: () => new AppErrors([new AppError('validation_error'), new AppError('validation_error')]),
  headers: () => new AppError('method_not_allowed', { headers: { Allow: 'GET' } }),
  unknown: () => new Error('hunter2 in /srv/secret.ts'),
  text: () => 'hunter2',
  circular: () => new AppError('locked', { meta: { circular } }),
  bigint: () => new AppError('locked', { meta: { big: 1n } }),
  unavailable: () => new AppError('service_unavailable'),
  unavailableLong: () => new AppError('service_unavailable', { headers: { 'Retry-After': '30' } }),
  status: () => Object.assign(new Error('hunter2'), { status: 418, expose: true }),
  hiddenStatus: () => Object.assign(new Error('hunter2'), { status: 404 }),
}

const mount = (app: Express): void => {
  app.get('/sync/:name', (req) => {
    throw throwing[req.params.name]?.()
  })
  app.get('/async/:name', async (req) => {
    await Promise.resolve()
    throw throwing[req.params.name]?.()
  })
  app.get('/bigint-body', (_req, res) => {
    res.json({ id: 1n })
  })
  app.get('/late', (_req, res) => {
    res.write('{"data":[')
    throw new Error('after the first byte')
  })
  app.get('/after', (_req, res) => {
    res.json({ ok: true })
    throw new Error('after the last byte')
  })
  app.get('/caught', (_req, res) => {
    res.json({ ok: true })
  })
}

describe('errors thrown by routes', () => {
  it.each([
    ['unavailable', 'a second', '1'],
    ['unavailableLong', 'what the error says', '30'],
    ['refusal', 'nothing', undefined],
  ])('%s: sends Retry-After %s', async (name, _told, seconds) => {
    const { headers } = await inProcessClient(testApp(mount).app).get(`/sync/${name}`)
    expect(headers['retry-after']).toBe(seconds)
  })

  it.each(['sync', 'async'])('answer in the dialect when thrown %s', async (kind) => {
    const { status, headers, body } = await inProcessClient(testApp(mount).app).get(`/${kind}/refusal`)
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/vnd.api+json')
    expect(body).toEqual({
      errors: [
        {
          title: 'Invalid include',
          detail: 'no "x"',
          code: 'INVALID_INCLUDE',
          source: { parameter: 'include' },
          status: '400',
        },
      ],
    })
  })

  it('answer all at once', async () => {
    const { status, body } = await inProcessClient(testApp(mount).app).get('/sync/several')
    expect(status).toBe(422)
    expect((body as { errors: unknown[] }).errors).toHaveLength(2)
  })

  it('bring their headers', async () => {
    const { status, headers } = await inProcessClient(testApp(mount).app).get('/sync/headers')
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET')
  })

  it.each(['unknown', 'text', 'hiddenStatus', 'circular', 'bigint'])(
    'hide what is not meant for the caller: %s',
    async (name) => {
      const { app, lines } = testApp(mount)
      const { status, body, text, headers } = await inProcessClient(app).get(`/async/${name}`)
      expect(status).toBe(500)
      expect(text).not.toMatch(/hunter2|secret|\.ts|Error:/)
      expect(body).toEqual({
        errors: [
          {
            title: 'Internal Server Error',
            detail: 'Internal Server Error',
            code: 'INTERNAL_SERVER_ERROR',
            status: '500',
            meta: { request_id: headers['x-request-id'] },
          },
        ],
      })
      expect(lines.filter(({ level }) => level === 'error')).not.toEqual([])
    },
  )

  it('are logged with their cause when they are ours, at debug when the caller caused them', async () => {
    const { app, lines } = testApp(mount)
    await inProcessClient(app).get('/async/unknown')
    await inProcessClient(app).get('/async/refusal')
    const errors = lines.filter(({ error_code }) => error_code !== undefined)
    expect(errors).toMatchObject([
      { level: 'error', error_code: 'internal_server_error' },
      { level: 'debug', error_code: 'invalid_include' },
    ])
    expect(errors[0]).toMatchObject({ err: { cause: { message: 'hunter2 in /srv/secret.ts' } } })
  })

  it('answer a marked 4xx of a library as malformed, without its text', async () => {
    const { status, text } = await inProcessClient(testApp(mount).app).get('/sync/status')
    expect(status).toBe(400)
    expect(text).not.toContain('hunter2')
  })

  it('answer a body that JSON cannot hold with 500', async () => {
    const { status, body } = await inProcessClient(testApp(mount).app).get('/bigint-body')
    expect(status).toBe(500)
    expect(body).toMatchObject({ errors: [{ code: 'INTERNAL_SERVER_ERROR' }] })
  })

  it('cuts off a response that was already begun, so that nobody takes it for complete', async () => {
    await expect(inProcessClient(testApp(mount).app).get('/late')).rejects.toThrow(/aborted|hang up|reset/i)
  })
})

describe('an error after the answer', () => {
  it('is logged and leaves the answer whole', async () => {
    const { app, lines } = testApp(mount)
    const { status, body } = await inProcessClient(app).get('/after')
    expect([status, body]).toEqual([200, { ok: true }])
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', error_code: 'internal_server_error' }),
    )
  })
})

describe('unknown paths', () => {
  it.each(['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'answer %s with 404 in the dialect',
    async (method) => {
      const { status, headers, body } = await inProcessClient(testApp(mount).app).request(method, '/nowhere')
      expect(status).toBe(404)
      expect(headers['content-type']).toBe('application/vnd.api+json')
      expect(body).toMatchObject({ errors: [{ code: 'NOT_FOUND', status: '404' }] })
    },
  )

  it('answer HEAD with the headers only', async () => {
    const { status, headers, text } = await inProcessClient(testApp(mount).app).request('HEAD', '/nowhere')
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/vnd.api+json')
    expect(Number(headers['content-length'])).toBeGreaterThan(0)
    expect(text).toBe('')
  })

  it('tell paths apart by case', async () => {
    const { status } = await inProcessClient(testApp(mount).app).get('/CAUGHT')
    expect(status).toBe(404)
  })

  it('are not offered through a method that has no route at a known path', async () => {
    const { status } = await inProcessClient(testApp(mount).app).post('/caught')
    expect(status).toBe(404)
  })

  it('serve HEAD wherever GET is', async () => {
    const { status, text } = await inProcessClient(testApp(mount).app).request('HEAD', '/caught')
    expect([status, text]).toEqual([200, ''])
  })
})

describe('dialects', () => {
  it('of the authentication host', async () => {
    const { app } = testApp(mount, {
      encodeError: encodeOAuth,
      internalError: 'oauth_internal',
      notFound: 'oauth_not_found',
      malformed: 'invalid_request',
    })
    const client = inProcessClient(app)
    expect((await client.get('/nowhere')).body).toMatchObject({
      error: 'not_found',
      errors: [{ status: 404 }],
    })
    expect((await client.get('/sync/unknown')).body).toMatchObject({ error: 'server_error' })
    const malformed = await client.get('/sync/%')
    expect(malformed.body).toMatchObject({ error: 'invalid_request' })
    expect(malformed.headers['cache-control']).toBe('no-store')
  })

  it('of metrics', async () => {
    const { app } = testApp(mount, {
      encodeError: encodeMetrics,
      internalError: 'metrics_internal',
      notFound: 'metrics_not_found',
      malformed: 'metrics_request_not_valid',
    })
    const client = inProcessClient(app)
    const { body, headers } = await client.get('/nowhere')
    expect(body).toEqual({
      error: {
        title: 'resource not found',
        code: 'NOT_FOUND',
        status: 404,
        meta: { trace_id: headers['x-request-id'] },
      },
    })
    expect((await client.get('/sync/unknown')).body).toMatchObject({ error: { status: 500 } })
    expect((await client.get('/sync/%')).body).toMatchObject({ error: { status: 400, meta: { errors: [] } } })
  })

  it('must be known: an app not made by createApp cannot be finished', () => {
    const finish = () => {
      finishApp(express(), { notFound: 'not_found', log: silentLogger })
    }
    expect(finish).toThrow('the app was not made by createApp')
  })
})
