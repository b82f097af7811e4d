/** Bounds on everything a request may hold. */
import { limits } from '../../src/request/limits.ts'
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const stats = { field: 'order.id', operator: 'value_count' }

const nested = (levels: number): unknown => (levels === 0 ? 1 : { breakdown: nested(levels - 1) })

describe('limits on a request', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await openTestApp({ engine: createRecordingEngine().engine, env: { RATE_LIMIT_SCALE: '1000' } })
  })

  afterAll(async () => {
    await app.close()
  })

  const filtered = async (filter: unknown) => app.ask('/metrics/orders/stats', { stats, filter })
  const violationOf = (body: unknown) =>
    JSON.stringify((body as { error: { meta: { errors: unknown } } }).error.meta.errors)

  it('refuses a body above 64 KiB with 413', async () => {
    const { status, body } = await filtered({ order: { ids: { in: ['x'.repeat(limits.bodyBytesMax)] } } })
    expect(status).toBe(413)
    expect(body).toMatchObject({
      error: { code: 'PAYLOAD_TOO_LARGE', meta: { trace_id: expect.any(String) as unknown } },
    })
  })

  it.each([
    [
      'a list of 1,001 items',
      { order: { ids: { in: Array.from({ length: 1001 }, (_, index) => `i${index}`) } } },
      '1 to 1000 items',
    ],
    [
      'an item of 257 characters',
      { order: { ids: { in: ['x'.repeat(257)] } } },
      'a string of at most 256 characters',
    ],
    [
      'a text query of 257 characters',
      { order: { aggregated_details: { query: 'x'.repeat(257) } } },
      'at most 256 characters',
    ],
    [
      'a text query of 33 words',
      { order: { aggregated_details: { query: 'x '.repeat(33) } } },
      'at most 32 words',
    ],
    [
      'a number above the bound',
      { order: { total_amount: { gt: Number.MAX_SAFE_INTEGER + 1 } } },
      'between -9007199254740991 and 9007199254740991',
    ],
    [
      'an integer of 16 digits',
      { market: { numbers: { in: ['1234567890123456'] } } },
      'an integer of at most 15 digits',
    ],
    [
      'an order number that is no exact integer',
      { order: { numbers: { in: [Number.MAX_SAFE_INTEGER + 1] } } },
      'a string of at most 256 characters, or an integer between -9007199254740991 and 9007199254740991',
    ],
  ])('refuses %s', async (_name, filter, message) => {
    const { status, body } = await filtered(filter)
    expect(status).toBe(422)
    expect(violationOf(body)).toContain(message)
  })

  it('refuses a number that is not finite in JSON terms', async () => {
    const { status, body } = await app.ask(
      '/metrics/orders/stats',
      '{"stats":{"field":"order.id","operator":"value_count"},"filter":{"order":{"total_amount":{"gt":1e999}}}}',
    )
    expect(status).toBe(422)
    expect(violationOf(body)).toContain('total_amount')
  })

  it('takes a list of exactly 1,000 items', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `id${index}`)
    expect((await filtered({ order: { ids: { in: ids } } })).status).toBe(200)
  })

  it('refuses more than 200 fields', async () => {
    const fields = Array.from({ length: 201 }, () => 'order.id')
    const { status, body } = await app.ask('/metrics/orders/search', { search: { fields } })
    expect(status).toBe(422)
    expect(violationOf(body)).toContain('1 to 200 attributes')
  })

  it('refuses a body nested deeper than any query can be', async () => {
    const { status, body } = await app.ask('/metrics/orders/breakdown', { breakdown: nested(12) })
    expect(status).toBe(400)
    expect(violationOf(body)).toContain('at most 8 levels deep')
  })

  it.each([
    ['metrics_query_too_large', 'stats', { stats }, 'needs more groups, rows or memory'],
    ['metrics_query_timeout', 'stats', { stats }, 'took longer than the 10 seconds'],
    ['metrics_query_too_large', 'export', { search: { fields: ['order.id'] } }, 'needs more groups'],
    ['metrics_query_timeout', 'export', { search: { fields: ['order.id'] } }, 'took longer than'],
  ] as const)('says what a query beyond its budget needs (%s, %s)', async (code, kind, body, message) => {
    const { engine } = createRecordingEngine()
    const { AppError } = await import('@merx/errors/app-error')
    const busy = await openTestApp({
      engine: {
        ...engine,
        run: async ({ text }) => {
          if (!/toString\(count\(\)\)|key0/.test(text)) return []
          throw new AppError(code, { cause: new Error('DB::Exception: secret') })
        },
      },
    })
    const reply = await busy.ask(`/metrics/orders/${kind}`, body)
    await busy.close()
    expect(reply.status).toBe(422)
    expect(reply.text).not.toContain('DB::')
    const text = expect.stringMatching(new RegExp(`^${message}.*narrow the dates or the filter$`)) as unknown
    expect(reply.body).toMatchObject({
      error: {
        title: 'query is not valid',
        meta: { errors: [{ [kind === 'export' ? 'search' : kind]: [text] }] },
      },
    })
  })

  it('answers 503 for an export while the engine is unavailable, before a line is sent', async () => {
    const { engine } = createRecordingEngine()
    const { AppError } = await import('@merx/errors/app-error')
    const unavailable = await openTestApp({
      engine: {
        ...engine,
        run: async ({ text }) => {
          if (!text.includes('key0')) return []
          throw new AppError('metrics_engine_unavailable')
        },
      },
    })
    const reply = await unavailable.ask('/metrics/orders/export', { search: { fields: ['order.id'] } })
    await unavailable.close()
    expect(reply.status).toBe(503)
    expect(reply.headers['content-type']).toMatch(/^application\/vnd\.api\+json/)
  })
})
