/** Every error body of the interface (contract "Errors", metrics.md section 9), word for word. */
import { listen } from '@merx/http/listen'
import { dates, requestCases, stats, sums } from '../data/request-cases.ts'
import { violationCases } from '../data/violation-cases.ts'
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const cases = [...requestCases, ...violationCases]

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

describe('errors of the metrics interface', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await openTestApp({ engine: createRecordingEngine().engine, env: { RATE_LIMIT_SCALE: '1000' } })
  })

  afterAll(async () => {
    await app.close()
  })

  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const { status, body, headers } = await app.ask(
      one.path ?? '/metrics/orders/stats',
      one.body,
      one.options,
    )
    const meta = {
      ...(one.errors === undefined ? {} : { errors: one.errors }),
      trace_id: expect.stringMatching(UUID) as unknown,
    }
    expect(body).toEqual({ error: { title: one.title, code: one.code, status: one.status, meta } })
    expect(status).toBe(one.status)
    expect(headers['content-type']).toMatch(/^application\/vnd\.api\+json/)
    expect((body as { error: { meta: { trace_id: string } } }).error.meta.trace_id).toBe(
      headers['x-request-id'],
    )
  })

  it('reports the filter alone when filter and query are both wrong', async () => {
    const body = {
      date_breakdown: { ...sums, operator: 'nope' },
      filter: { order: { date_from: dates.date_from } },
    }
    const answer = await app.ask('/metrics/orders/date_breakdown', body)
    expect(answer.body).toMatchObject({ error: { status: 422, title: 'filter is not valid' } })
  })

  it.each([
    '/metrics/%ZZ/stats',
    '/metrics/orders/%',
    '/metrics/%ff/stats',
    '/metrics/orders%00/stats',
    '/%ZZ',
  ])('answers %s, which names nothing, with 404, and with 401 to nobody', async (path) => {
    const { status, body } = await app.ask(path, { stats })
    const meta = { trace_id: expect.stringMatching(UUID) as unknown }
    expect(body).toEqual({ error: { title: 'resource not found', code: 'NOT_FOUND', status: 404, meta } })
    expect(status).toBe(404)
    const { status: unasked } = await app.ask(path, { stats }, { token: null })
    expect(unasked).toBe(path.startsWith('/metrics/') ? 401 : 404)
  })

  it.each([
    ['application/vnd.api.v1+json;q=0', 406],
    ['application/vnd.api.v1+json; q=0.000', 406],
    ['application/vnd.api.v1+json;Q=0, */*', 406],
    ['application/vnd.api.v2+json, application/vnd.api.v1+json;q=0', 406],
    ['application/vnd.api.v1+json;q=0.001', 200],
    ['text/html;q=0, application/vnd.api.v1+json', 200],
  ])('takes Accept: %s at its word: %d', async (accept, expected) => {
    const { status } = await app.ask('/metrics/orders/stats', { stats }, { headers: { Accept: accept } })
    expect(status).toBe(expected)
  })

  it('names the only allowed method in Allow', async () => {
    const { headers } = await app.ask('/metrics/orders/stats', null, { method: 'DELETE' })
    expect(headers.allow).toBe('POST')
  })

  it('answers a path outside the interface in the same dialect', async () => {
    const { status, body } = await app.ask('/elsewhere', { stats })
    expect(status).toBe(404)
    expect(body).toMatchObject({
      error: { code: 'NOT_FOUND', meta: { trace_id: expect.any(String) as unknown } },
    })
  })

  it.each([
    ['no token', { token: null }, /^Bearer realm="merx"$/],
    ['a token that is none', { token: 'abc' }, /^Bearer realm="merx", error="invalid_token"/],
  ])('answers %s with 401 without meta, and its challenge', async (_name, options, challenge) => {
    const { status, body, headers } = await app.ask('/metrics/orders/stats', { stats }, options)
    const title = 'the access token is not valid or expired'
    expect(body).toEqual({ error: { title, code: 'UNAUTHORIZED', status: 401 } })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(challenge)
  })

  it('answers an expired token with 401 without meta', async () => {
    const token = await app.mint({ exp: Math.floor(app.clock.now().getTime() / 1000) - 1 })
    const { status, body } = await app.ask('/metrics/orders/stats', { stats }, { token })
    expect(status).toBe(401)
    expect(Object.keys((body as { error: object }).error)).toEqual(['title', 'code', 'status'])
  })

  it('checks token, method, Accept, Content-Type, path and body in this order', async () => {
    const wrong = { method: 'PUT', headers: { Accept: 'text/html', 'Content-Type': 'text/plain' } }
    const steps = [
      [{ ...wrong, token: null }, 401],
      [wrong, 405],
      [{ headers: wrong.headers }, 406],
      [{ headers: { 'Content-Type': 'text/plain' } }, 415],
      [{}, 404],
    ] as const
    for (const [options, expected] of steps) {
      const { status } = await app.ask('/metrics/nope/nope', '{', options)
      expect(status).toBe(expected)
    }
    expect((await app.ask('/metrics/orders/stats', '{')).status).toBe(400)
  })

  it('takes a Content-Type with the charset UTF-8 and an Accept list that holds the version', async () => {
    const headers = {
      'Content-Type': 'application/vnd.api+json; charset=utf-8',
      Accept: 'application/json, application/vnd.api.v1+json',
    }
    expect((await app.ask('/metrics/orders/stats', { stats }, { headers })).status).toBe(200)
  })

  it('refuses a body that is not valid UTF-8 with 400 that names the body', async () => {
    const server = await listen(app.metrics.app, { host: '127.0.0.1', port: 0 })
    const response = await fetch(`${server.url}/metrics/orders/stats`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await app.mint()}`,
        Accept: 'application/vnd.api.v1+json',
        'Content-Type': 'application/vnd.api+json',
      },
      body: Buffer.from('{"stats":"M\u00fcller"}', 'latin1'),
    })
    const body: unknown = await response.json()
    await server.close()
    expect(response.status).toBe(400)
    expect(body).toMatchObject({
      error: { meta: { errors: [{ body: ['The body is not valid UTF-8.'] }] } },
    })
  })
})
