/** What a successful answer looks like around its data, in both dialects. */
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const order = { date_from: '2021-01-01T00:00:00Z', date_to: '2021-12-31T23:59:59Z' }

describe('answers of the metrics interface', () => {
  const recording = createRecordingEngine()
  let app: TestApp

  beforeAll(async () => {
    app = await openTestApp({ engine: recording.engine, env: { RATE_LIMIT_SCALE: '1000' } })
  })

  afterAll(async () => {
    await app.close()
  })

  it.each([
    ['breakdown', { by: 'market.name', field: 'order.id', operator: 'value_count' }, { 'market.name': [] }],
    ['date_breakdown', { by: 'order.placed_at', field: 'order.total_amount', operator: 'sum' }, []],
    ['stats', { field: 'order.total_amount', operator: 'avg' }, { value: null }],
    ['search', { fields: ['order.id'] }, []],
  ])('%s without a match gives empty data and its meta', async (kind, query, data) => {
    const { status, body, headers } = await app.ask(`/metrics/orders/${kind}`, { [kind]: query })
    const traceId = headers['x-request-id']
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/vnd.api+json; charset=utf-8')
    expect(body).toEqual({
      data,
      meta: {
        ...(kind === 'search' ? { pagination: { record_count: 0, cursor: null } } : {}),
        type: kind,
        trace_id: traceId,
        mode: 'test',
        organization_id: 'orgAAAAAAA',
        market_ids: [],
      },
    })
  })

  it('puts pagination first in the meta of a search', async () => {
    const { body } = await app.ask('/metrics/orders/search', {
      search: { fields: ['order.id'], cursor: null },
    })
    expect(Object.keys((body as { meta: object }).meta)[0]).toBe('pagination')
  })

  it("gives the caller's request id back as trace id", async () => {
    const id = '3e60cfb2-c0df-43c8-84e8-d9632705d2f9'
    const options = { headers: { 'X-Request-Id': id } }
    const { body } = await app.ask('/metrics/orders/search', { search: { fields: ['order.id'] } }, options)
    expect(body).toMatchObject({ meta: { trace_id: id } })
  })

  it('covers the last 30 days of the latest status change when there is no filter', async () => {
    recording.statements.length = 0
    await app.ask('/metrics/orders/stats', { stats: { field: 'order.id', operator: 'value_count' } })
    const statement = recording.statements.find(({ text }) => text.includes('toString(count())'))
    expect(statement?.text).toContain('`current_date` >=')
    expect(Object.values(statement?.params ?? {})).toEqual(
      expect.arrayContaining(['2021-12-16 00:00:00.000', '2022-01-15 23:59:59.999']),
    )
  })

  describe('in the vendor dialect', () => {
    let vendor: TestApp

    beforeAll(async () => {
      vendor = await openTestApp({ engine: recording.engine, env: { METRICS_DIALECT: 'vendor' } })
    })

    afterAll(async () => {
      await vendor.close()
    })

    const stats = { field: 'order.id', operator: 'value_count' }

    it('repeats the request in meta.payload on request', async () => {
      const asked = { stats, filter: { order } }
      const { body } = await vendor.ask('/metrics/orders/stats', { ...asked, meta: { payload: true } })
      expect(body).toMatchObject({ meta: { payload: { filter: { order }, stats } } })
    })

    it.each([{ payload: 1 }, { other: true }, 'x'])('refuses meta %j', async (meta) => {
      const { status, body } = await vendor.ask('/metrics/orders/stats', { stats, meta })
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { title: 'request is not valid' } })
    })

    it('gives a date_breakdown the operators of its field', async () => {
      const counted = { by: 'order.placed_at', ...stats, interval: 'day' }
      const { status } = await vendor.ask('/metrics/orders/date_breakdown', { date_breakdown: counted })
      expect(status).toBe(200)
      const summed = { by: 'order.placed_at', field: 'order.seconds_in_draft', operator: 'sum' }
      const refused = await vendor.ask('/metrics/orders/date_breakdown', { date_breakdown: summed })
      expect(JSON.stringify(refused.body)).toContain('valid values are: avg, max, min, stats, percentiles')
    })
  })

  it('gives a strict date_breakdown all five operators on a duration', async () => {
    const summed = { by: 'order.placed_at', field: 'order.seconds_in_draft', operator: 'sum' }
    expect((await app.ask('/metrics/orders/date_breakdown', { date_breakdown: summed })).status).toBe(200)
  })
})

describe('the internal application', () => {
  it('shows readiness and how late the store is', async () => {
    const app = await openTestApp({ engine: createRecordingEngine().engine })
    const { inProcessClient } = await import('@merx/testing/in-process-client')
    const internal = inProcessClient(app.metrics.internalApp)
    expect((await internal.get('/health/live')).status).toBe(200)
    expect((await internal.get('/health/ready')).body).toMatchObject({
      checks: { engine: 'ok', orders: 'failing' },
    })
    await app.metrics.start()
    await app.metrics.ingester?.caughtUp()
    expect((await internal.get('/health/ready')).status).toBe(200)
    expect((await internal.get('/internal/ingest')).body).toMatchObject({ has_caught_up: true, failures: 0 })
    await app.close()
  })
})
