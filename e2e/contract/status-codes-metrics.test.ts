import { accessToken, connect, JSON_API } from '../support/connect.ts'
import { expectDecent, expectMetricsError } from '../support/expect-errors.ts'
import { provedBy } from '../support/proved-by.ts'
import type { Reply } from '../support/send.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' } }

const ask = async (
  body: unknown,
  path = 'orders/stats',
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Reply> => connect().metrics(path, body, { token: await accessToken('integration'), headers })

describe('Status codes (metrics interface)', () => {
  test('200 · OK · success', async () => {
    const reply = await ask(STATS)
    expect(reply.status).toBe(200)
    expectDecent(reply)
    expect(reply.json()).toHaveProperty('data')
    expect(reply.json()).not.toHaveProperty('error')
  })

  describe('400 · Bad request · malformed syntax, or an unsupported first-level key in the body', () => {
    test.each([
      '{',
      '{"stats":',
      '{"stats": {}, }',
      "{'stats': {}}",
      '\u0000',
      '{"a":1}{"b":2}',
      'stats',
      '',
    ])('malformed syntax: %j', async (body) => {
      expectMetricsError(await ask(body), 400, 'BAD_REQUEST')
    })

    test.each(['sort', 'Filter', 'STATS', 'breakdown', 'constructor'])('first-level key %s', async (key) => {
      expectMetricsError(await ask({ ...STATS, [key]: {} }), 400, 'BAD_REQUEST', 'request is not valid')
    })
  })

  describe('401 · Unauthorized · token absent, expired or without enough permissions', () => {
    test('absent', async () => {
      expectMetricsError(await connect().metrics('orders/stats', STATS), 401, 'UNAUTHORIZED')
    })

    test(
      'expired',
      provedBy('services/metrics/test/http/errors.test.ts', 'answers an expired token with 401 without meta'),
    )

    test('without enough permissions', async () => {
      const token = await accessToken('sales_channel')
      expectMetricsError(await connect().metrics('orders/stats', STATS, { token }), 401, 'UNAUTHORIZED')
    })
  })

  describe('404 · Not found · wrong query type or resource name in the path', () => {
    test.each(['orders/breakdowns', 'orders/Stats', 'orders/', 'orders', '', 'orders/stats/x', 'orders/..'])(
      'wrong query type: /metrics/%s',
      async (path) => {
        expectMetricsError(await ask(STATS, path), 404, 'NOT_FOUND')
      },
    )

    test.each(['order/stats', 'skus/stats', 'Orders/stats', '__proto__/stats', 'orders%2Fstats'])(
      'wrong resource: /metrics/%s',
      async (path) => {
        expectMetricsError(await ask(STATS, path), 404, 'NOT_FOUND')
      },
    )
  })

  describe('405 · Method not allowed · any method other than POST', () => {
    test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s', async (method) => {
      const token = await accessToken('integration')
      const reply = await connect().metrics('orders/stats', undefined, { token, method })
      expectMetricsError(reply, 405, 'METHOD_NOT_ALLOWED')
    })
  })

  describe('406 · Not acceptable · Accept header not application/vnd.api.v1+json, or an unsupported version', () => {
    test.each([
      'application/json',
      'application/vnd.api+json',
      'application/vnd.api.v2+json',
      '*/*',
      'text/html',
    ])('Accept: %s', async (accept) => {
      expectMetricsError(await ask(STATS, 'orders/stats', { Accept: accept }), 406, 'NOT_ACCEPTABLE')
    })
  })

  describe('415 · Unsupported media type · Content-Type header not application/vnd.api+json', () => {
    test.each([
      'application/json',
      'text/plain',
      'application/vnd.api.v1+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/vnd.api+jsonx',
      '',
      undefined,
    ])('Content-Type: %s', async (type) => {
      const reply = await ask(STATS, 'orders/stats', { 'Content-Type': type })
      expectMetricsError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE')
    })

    test('a charset parameter does no harm', async () => {
      const reply = await ask(STATS, 'orders/stats', { 'Content-Type': `${JSON_API}; charset=utf-8` })
      expect(reply.status).toBe(200)
    })
  })

  describe('422 · Unprocessable entity · well-formed body with semantic errors at a nested level', () => {
    test.each([
      ['the query', { stats: { field: 'order.id', operator: 'nothing' } }],
      ['the filter', { ...STATS, filter: { order: { nothing: true } } }],
      ['a section of the filter', { ...STATS, filter: { nothing: { x: true } } }],
      ['a nested query', { stats: { ...STATS.stats, breakdown: {} } }],
    ])('in %s', async (_name, body) => {
      expectMetricsError(await ask(body), 422, 'UNPROCESSABLE_ENTITY')
    })
  })

  test('429 · Too many requests · rate limit hit', async () => {
    const api = connect()
    const token = await accessToken('integration')
    // Wrong requests count as well and ask the engine nothing, so that they fit into one window on a busy machine.
    await Promise.all(Array.from({ length: 25 }, () => api.metrics('orders/stats', { wrong: 1 }, { token })))
    const reply = await api.metrics('orders/stats', STATS, { token })
    expectMetricsError(reply, 429, 'TOO_MANY_REQUESTS', 'too many requests')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  describe('500 · Internal server error · unhandled error', () => {
    test(
      'has a trace id and says nothing else',
      provedBy('packages/errors/src/encode-metrics.test.ts', 'writes %s with the meta its status allows'),
    )
  })

  describe('2xx means success, 4xx a failure caused by the request, and 5xx an unhandled error.', () => {
    /** Bodies that try to make the service stumble; each must be the caller's fault, never ours. */
    const hostile: Readonly<Record<string, unknown>> = {
      'deep nesting': `{"stats":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      'deep arrays': `{"stats":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'a huge number':
        '{"stats":{"field":"order.id","operator":"value_count"},"filter":{"order":{"total_amount":{"gt":1e400}}}}',
      'a number beyond decimals': { ...STATS, filter: { order: { total_amount: { gt: 1e30 } } } },
      'a negative zero': { ...STATS, filter: { order: { total_amount: { gt: -0 } } } },
      'a tiny number': { ...STATS, filter: { order: { total_amount: { gt: 5e-324 } } } },
      'an integer filter out of range': { ...STATS, filter: { order: { skus_count: { gt: 2 ** 70 } } } },
      'a fraction for an integer': { ...STATS, filter: { order: { skus_count: { gt: 1.5 } } } },
      'ten thousand list items': {
        ...STATS,
        filter: { order: { ids: { in: Array.from({ length: 10_000 }, (_, index) => `id${index}`) } } },
      },
      'SQL in a value': { ...STATS, filter: { order: { currency_codes: { in: ["EUR' OR 1=1 --"] } } } },
      'SQL in a path': { stats: { field: 'order.id) FROM system.tables --', operator: 'value_count' } },
      'a NUL in a value': { ...STATS, filter: { order: { currency_codes: { in: ['EUR\u0000'] } } } },
      'a lone surrogate in a value': `{"stats":{"field":"order.id","operator":"value_count"},"filter":{"order":{"currency_codes":{"in":["\\ud800"]}}}}`,
      'braces of a query parameter': {
        ...STATS,
        filter: { order: { currency_codes: { in: ['{p0:String}', "\\'", '\\'] } } },
      },
      'a date far away': {
        ...STATS,
        filter: { order: { date_from: '0001-01-01T00:00:00Z', date_to: '9999-12-31T23:59:59Z' } },
      },
      'a text query of operators only': {
        ...STATS,
        filter: { order: { aggregated_details: { query: '((((||||++++**""' } } },
      },
      'a text query of many stars': {
        ...STATS,
        filter: { order: { aggregated_details: { query: `${'*a'.repeat(2_000)}*` } } },
      },
      'a prototype key':
        '{"stats":{"field":"order.id","operator":"value_count"},"filter":{"__proto__":{"x":1}}}',
      'a prototype path': { stats: { field: '__proto__.x', operator: 'toString' } },
      'a duplicate key': '{"stats":{"field":"order.id","operator":"value_count","operator":"sum"}}',
    }

    test.each(Object.keys(hostile))('no 5xx for %s', async (name) => {
      const reply = await ask(hostile[name])
      expectDecent(reply)
      expect(reply.status).toBeLessThan(500)
    })
  })
})
