/** Contract "Metrics interface rate limits", on a clock that stands still. */
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const KINDS = {
  stats: { field: 'order.id', operator: 'value_count' },
  breakdown: { by: 'market.name', field: 'order.id', operator: 'value_count' },
  date_breakdown: { by: 'order.placed_at', field: 'order.total_amount', operator: 'sum' },
  search: { fields: ['order.id'] },
} as const
type KindName = keyof typeof KINDS

describe.each([
  { mode: 'test', test: true, burst: 25, average: 100 },
  { mode: 'live', test: false, burst: 50, average: 200 },
])('in $mode mode', ({ test, burst, average }) => {
  let app: TestApp
  let token: string

  beforeEach(async () => {
    app = await openTestApp({ engine: createRecordingEngine().engine })
    token = await app.mint({ test })
  })

  afterEach(async () => {
    await app.close()
  })

  const ask = async (kind: KindName) => app.ask(`/metrics/orders/${kind}`, { [kind]: KINDS[kind] }, { token })

  const askTimes = async (kind: KindName, times: number): Promise<readonly number[]> => {
    const statuses: number[] = []
    for (let index = 0; index < times; index += 1) statuses.push((await ask(kind)).status)
    return statuses
  }

  it(`answers ${burst} requests of one endpoint in 10 seconds and refuses the next`, async () => {
    expect(new Set(await askTimes('stats', burst))).toEqual(new Set([200]))
    const { status, body, headers } = await ask('stats')
    expect(status).toBe(429)
    expect(body).toEqual({
      error: {
        title: 'too many requests',
        code: 'TOO_MANY_REQUESTS',
        status: 429,
        meta: { trace_id: headers['x-request-id'] },
      },
    })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  it('keeps a burst window for each endpoint', async () => {
    await askTimes('stats', burst + 1)
    expect((await ask('search')).status).toBe(200)
  })

  it('answers again when the frequency has fallen', async () => {
    await askTimes('stats', burst)
    app.clock.advance(10.1)
    expect((await ask('stats')).status).toBe(200)
  })

  it(`answers ${average} requests over all endpoints in a minute and refuses the next`, async () => {
    for (const kind of Object.keys(KINDS) as KindName[]) {
      expect(new Set(await askTimes(kind, average / 4))).toEqual(new Set([200]))
      app.clock.advance(10.1)
    }
    expect((await ask('stats')).status).toBe(429)
    app.clock.advance(60)
    expect((await ask('stats')).status).toBe(200)
  })

  it('counts wrong paths against a budget of their own', async () => {
    for (let index = 0; index < burst; index += 1) {
      expect((await app.ask(`/metrics/orders/guess${index}`, {}, { token })).status).toBe(404)
    }
    expect((await app.ask('/metrics/orders/one-more', {}, { token })).status).toBe(429)
  })

  it('counts invalid tokens against a budget of their own', async () => {
    const statuses: number[] = []
    for (let index = 0; index < burst + 5; index += 1) {
      statuses.push((await app.ask('/metrics/orders/stats', KINDS, { token: 'none' })).status)
    }
    expect([statuses[24], statuses[25]]).toEqual([401, 429])
    expect((await ask('stats')).status).toBe(200)
  })
})
