/**
 * Windows are real and slide: every case counts from an address of its own. Those that wait for a window of ten seconds wait
 * together; none waits for a minute.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect, type Connection } from '../support/connect.ts'
import type { Mode } from '../support/demo.ts'
import { expectCoreError, expectMetricsError } from '../support/expect-errors.ts'

const BURST_SECONDS = 10

const BODIES: Readonly<Record<string, object>> = {
  stats: { stats: { field: 'order.id', operator: 'value_count' } },
  breakdown: { breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' } },
  search: { search: { fields: ['order.id'], limit: 1 } },
  date_breakdown: {
    date_breakdown: { by: 'order.placed_at', field: 'order.total_amount_with_taxes', operator: 'sum' },
  },
}

/** Statuses of `count` queries of one type, ten at a time. */
const ask = async (api: Connection, type: string, count: number, mode: Mode): Promise<readonly number[]> => {
  const token = await accessToken('integration', { mode })
  const statuses: number[] = []
  while (statuses.length < count) {
    const size = Math.min(10, count - statuses.length)
    const replies = await Promise.all(
      Array.from({ length: size }, () => api.metrics(`orders/${type}`, BODIES[type], { token })),
    )
    statuses.push(...replies.map(({ status }) => status))
  }
  return statuses
}

const tally = (statuses: readonly number[]) => ({
  passed: statuses.filter((status) => status === 200).length,
  refused: statuses.filter((status) => status === 429).length,
})

/** The burst of each endpoint spent at once, then one more after the burst windows: only the average can refuse it. */
const spendAverage = async (mode: Mode, burst: number) => {
  const api = connect()
  const spent = await Promise.all(Object.keys(BODIES).map((type) => ask(api, type, burst, mode)))
  await wait((BURST_SECONDS + 0.5) * 1_000)
  return { spent: tally(spent.flat()), after: await ask(api, 'stats', 1, mode) }
}

describe('Metrics interface rate limits', () => {
  test.concurrent('Live · Average · 200 (all endpoints) · 1 min', async () => {
    expect(await spendAverage('live', 50)).toEqual({ spent: { passed: 200, refused: 0 }, after: [429] })
  })

  test.concurrent('Test · Average · 100 (all endpoints) · 1 min', async () => {
    expect(await spendAverage('test', 25)).toEqual({ spent: { passed: 100, refused: 0 }, after: [429] })
  })

  test('Live · Burst · 50 (per endpoint) · 10 secs', async () => {
    const api = connect()
    expect(tally(await ask(api, 'stats', 51, 'live'))).toEqual({ passed: 50, refused: 1 })
    expect(await ask(api, 'breakdown', 1, 'live')).toEqual([200])
  })

  test('Test · Burst · 25 (per endpoint) · 10 secs', async () => {
    const api = connect()
    expect(tally(await ask(api, 'stats', 26, 'test'))).toEqual({ passed: 25, refused: 1 })
    expect(await ask(api, 'breakdown', 1, 'test')).toEqual([200])
  })

  describe('Exceeding the limits gives 429. IP addresses that exceed them are blocked until the frequency of that call drops below the allowed limit.', () => {
    test.concurrent(
      'blocked for that call only, for that address only; free again once the window has passed',
      async () => {
        const api = connect()
        const token = await accessToken('integration')
        await ask(api, 'stats', 25, 'test')
        const refused = await api.metrics('orders/stats', BODIES['stats'], { token })
        expectMetricsError(refused, 429, 'TOO_MANY_REQUESTS')
        expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
        expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(BURST_SECONDS)
        expect(await ask(api, 'search', 1, 'test')).toEqual([200])
        expect(await ask(connect(), 'stats', 1, 'test')).toEqual([200])
        await wait((BURST_SECONDS + 0.5) * 1_000)
        expect(await ask(api, 'stats', 1, 'test')).toEqual([200])
      },
    )

    test.concurrent('refused requests count too: a caller that does not stop stays blocked', async () => {
      const api = connect()
      await ask(api, 'stats', 25, 'test')
      const until = performance.now() + (BURST_SECONDS + 2) * 1_000
      const statuses: number[] = []
      while (performance.now() < until) {
        statuses.push(...(await ask(api, 'stats', 10, 'test')))
        await wait(250)
      }
      expect(statuses.slice(-10)).toEqual(Array.from({ length: 10 }, () => 429))
    })

    test('requests that are wrong count like the others', async () => {
      const api = connect()
      const token = await accessToken('integration')
      for (let sent = 0; sent < 25; sent += 1) {
        expect((await api.metrics('orders/stats', { wrong: 1 }, { token })).status).toBe(400)
      }
      expect((await api.metrics('orders/stats', { wrong: 1 }, { token })).status).toBe(429)
    })

    test('test and live do not share a budget', async () => {
      const api = connect()
      await ask(api, 'stats', 26, 'test')
      expect(await ask(api, 'stats', 1, 'live')).toEqual([200])
    })
  })

  describe('The metrics limits are the same as for POST requests of the core interface.', () => {
    /** A POST that is refused for its content: what counts is that it was sent. */
    const post = async (api: Connection, resource: string, mode: Mode) => {
      const token = await accessToken('integration', { mode })
      return api.core(resource, { token, method: 'POST', body: { data: { type: 'nothing' } } })
    }

    test.each([
      ['test', 25],
      ['live', 50],
    ] as const)('%s: a burst of %i per resource', async (mode, burst) => {
      const api = connect()
      for (let sent = 0; sent < burst; sent += 1) {
        expect((await post(api, 'customer_groups', mode)).status).toBe(400)
      }
      expectCoreError(await post(api, 'customer_groups', mode), 429, 'TOO_MANY_REQUESTS')
      expect((await post(api, 'price_lists', mode)).status).toBe(400)
    })

    test('test: 100 a minute over all resources', async () => {
      const api = connect()
      for (const resource of ['customer_groups', 'price_lists', 'stock_locations', 'skus']) {
        const replies = await Promise.all(Array.from({ length: 25 }, () => post(api, resource, 'test')))
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]))
      }
      expect((await post(api, 'markets', 'test')).status).toBe(429)
    })

    test('reads are counted apart from writes', async () => {
      const api = connect()
      for (let sent = 0; sent < 26; sent += 1) await post(api, 'customer_groups', 'test')
      expect((await api.core('customer_groups', { token: await accessToken('integration') })).status).toBe(
        200,
      )
    })
  })
})
