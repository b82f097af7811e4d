import { accessToken, connect } from '../support/connect.ts'
import { expectMetricsError } from '../support/expect-errors.ts'
import type { Reply } from '../support/send.ts'
import type {
  BreakdownAnswer,
  DateBreakdownAnswer,
  SearchAnswer,
  StatsAnswer,
  StatsValue,
} from '../support/wire.ts'

/** Wide enough for all of the demo data. */
const FILTER = {
  order: { date_from: '2020-01-01T00:00:00Z', date_to: '2035-12-31T23:59:59Z', date_field: 'placed_at' },
}

const TYPES = ['breakdown', 'date_breakdown', 'search', 'stats'] as const

const BODIES: Readonly<Record<(typeof TYPES)[number], object>> = {
  breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count', sort: 'desc', limit: 5 },
  date_breakdown: {
    by: 'order.placed_at',
    field: 'order.total_amount_with_taxes',
    operator: 'sum',
    interval: 'month',
  },
  search: { limit: 3, sort: 'desc', sort_by: 'order.placed_at', fields: ['order.id', 'order.placed_at'] },
  stats: { field: 'order.total_amount_with_taxes', operator: 'sum' },
}

const ask = async (type: string, body: unknown): Promise<Reply> =>
  connect().metrics(`orders/${type}`, body, { token: await accessToken('integration') })

const query = (type: (typeof TYPES)[number], changes: object = {}): Promise<Reply> =>
  ask(type, { [type]: { ...BODIES[type], ...changes }, filter: FILTER })

const ok = (reply: Reply): Reply => {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply
}

describe('Metrics query request body', () => {
  describe('The body is a JSON object with exactly two first-level keys: one query-type key, named like the query type in the path, and filter. Any other first-level key is rejected (see Errors).', () => {
    test.each(TYPES)('%s: the two keys are accepted', async (type) => {
      ok(await query(type))
    })

    test.each(TYPES)('%s: any third key is rejected, the vendor’s meta too', async (type) => {
      for (const key of ['meta', 'sort', 'limit', 'filters', '__proto__x', '']) {
        const reply = await ask(type, { [type]: BODIES[type], filter: FILTER, [key]: {} })
        const error = expectMetricsError(reply, 400, 'BAD_REQUEST', 'request is not valid')
        expect(error.meta?.errors).toEqual([{ [key]: ['not valid'] }])
      }
    })

    test.each(TYPES)('%s: the query-type key of another path is rejected', async (type) => {
      const other = type === 'stats' ? 'breakdown' : 'stats'
      const error = expectMetricsError(
        await ask(type, { [other]: BODIES[other], filter: FILTER }),
        400,
        'BAD_REQUEST',
      )
      expect(error.meta?.errors).toContainEqual({ [other]: ['not valid'] })
    })

    test.each([['[]'], ['"stats"'], ['12'], ['null'], ['true'], ['']])(
      'a body that is not an object is rejected: %s',
      async (body) => {
        expectMetricsError(await ask('stats', body), 400, 'BAD_REQUEST')
      },
    )

    test.each([
      ['a list', []],
      ['a string', 'x'],
      ['a number', 1],
      ['null', null],
    ])('a query-type key or filter that is %s is rejected without a 500', async (_name, value) => {
      const asQuery = await ask('stats', { stats: value, filter: FILTER })
      expect([400, 422]).toContain(asQuery.status)
      const asFilter = await ask('stats', { stats: BODIES.stats, filter: value })
      expect([400, 422]).toContain(asFilter.status)
    })
  })

  describe('date_breakdown · by (string attribute path), field (string attribute path), interval (string), operator (string)', () => {
    test('each bucket is one interval, in ascending order, and all buckets add up to the whole', async () => {
      const { data, meta } = ok(await query('date_breakdown')).json<DateBreakdownAnswer>()
      expect(meta.type).toBe('date_breakdown')
      const dates = data.map(({ date }) => date)
      expect(dates).toEqual(dates.toSorted())
      expect(dates.length).toBeGreaterThan(12)
      for (const date of dates) expect(date).toMatch(/^\d{4}-\d{2}-01T00:00:00\.000Z$/)
      const whole = ok(await query('stats')).json<StatsAnswer>().data.value
      const cents = data.reduce((sum, { value }) => sum + Math.round(Number(value) * 100), 0)
      expect(cents).toBe(Math.round(Number(whole) * 100))
    })

    test.each(['by', 'field', 'operator'])('without %s it is a 422 that names it', async (key) => {
      const error = expectMetricsError(
        await query('date_breakdown', { [key]: undefined }),
        422,
        'UNPROCESSABLE_ENTITY',
      )
      expect(JSON.stringify(error.meta?.errors)).toContain(`"${key}"`)
    })

    test.each(['by', 'field', 'operator', 'interval'])('a %s that is not a string is a 422', async (key) => {
      for (const value of [1, [], {}, null, true]) {
        expectMetricsError(await query('date_breakdown', { [key]: value }), 422, 'UNPROCESSABLE_ENTITY')
      }
    })
  })

  describe('breakdown · by (string attribute path), field (string attribute path), operator (string), sort (string), limit (integer), condition (object with one comparison operator key and a number)', () => {
    test('labels and values under the path given by `by`, sorted, limited', async () => {
      const { data, meta } = ok(await query('breakdown')).json<BreakdownAnswer>()
      expect(meta.type).toBe('breakdown')
      expect(Object.keys(data)).toEqual(['order.country_code'])
      const values = (data['order.country_code'] ?? []).map(({ value }) => Number(value))
      expect(values.length).toBeGreaterThan(0)
      expect(values.length).toBeLessThanOrEqual(5)
      expect(values).toEqual(values.toSorted((a, b) => b - a))
    })

    test('sort asc turns the order round', async () => {
      const asc = ok(await query('breakdown', { sort: 'asc', limit: 100 })).json<BreakdownAnswer>()
      const values = (asc.data['order.country_code'] ?? []).map(({ value }) => Number(value))
      expect(values).toEqual(values.toSorted((a, b) => a - b))
    })

    test('limit 1 keeps the greatest bucket', async () => {
      const all = ok(await query('breakdown')).json<BreakdownAnswer>().data['order.country_code']
      const one = ok(await query('breakdown', { limit: 1 })).json<BreakdownAnswer>().data[
        'order.country_code'
      ]
      expect(one).toEqual(all?.slice(0, 1))
    })

    test.each([0, -1, 101, 1.5, '5', null, [], {}])('limit %p is a 422', async (limit) => {
      expectMetricsError(
        await query('breakdown', { limit }),
        422,
        'UNPROCESSABLE_ENTITY',
        'query is not valid',
      )
    })

    test.each(['DESC', 'up', 1, null])('sort %p is a 422', async (sort) => {
      expectMetricsError(
        await query('breakdown', { sort }),
        422,
        'UNPROCESSABLE_ENTITY',
        'query is not valid',
      )
    })

    test.each([[{}], [{ gt: 1, lt: 5 }], [{ gt: 'x' }], [{ above: 1 }], ['gt'], [5], [{ gt: null }], [[]]])(
      'condition %j is a 422',
      async (condition) => {
        expectMetricsError(
          await query('breakdown', { condition }),
          422,
          'UNPROCESSABLE_ENTITY',
          'query is not valid',
        )
      },
    )

    test('unknown keys are refused by name', async () => {
      const error = expectMetricsError(await query('breakdown', { group: 1 }), 422, 'UNPROCESSABLE_ENTITY')
      expect(JSON.stringify(error.meta?.errors)).toContain('"group"')
    })
  })

  describe('search · limit (integer), sort (string), sort_by (string attribute path), fields (array of attribute path strings)', () => {
    test('returns the requested fields, sorted, limited, with the number of all matches', async () => {
      const { data, meta } = ok(await query('search')).json<SearchAnswer>()
      expect(meta.type).toBe('search')
      expect(data).toHaveLength(3)
      for (const record of data) expect(Object.keys(record).sort()).toEqual(['id', 'placed_at'])
      const dates = data.map((record) => String(record['placed_at']))
      expect(dates).toEqual(dates.toSorted().reverse())
      expect(meta.pagination.record_count).toBeGreaterThan(3)
    })

    test('the cursor leads through all records, none missing, none twice', async () => {
      const seen: string[] = []
      let cursor: string | null = null
      let count = 0
      do {
        const page: SearchAnswer = ok(
          await query('search', { limit: 100, fields: ['order.id'], cursor }),
        ).json<SearchAnswer>()
        seen.push(...page.data.map((record) => String(record['id'])))
        cursor = page.meta.pagination.cursor
        count = page.meta.pagination.record_count
      } while (cursor !== null)
      expect(seen).toHaveLength(count)
      expect(new Set(seen).size).toBe(count)
    })

    test.each([
      [[]],
      [['order.nothing']],
      [['nothing']],
      ['order.id'],
      [[1]],
      [null],
      [['order.id', {}]],
      [undefined],
    ])('fields %j is a 422', async (fields) => {
      expectMetricsError(await query('search', { fields }), 422, 'UNPROCESSABLE_ENTITY', 'query is not valid')
    })

    test.each(['order.nothing', 'order.total_amount', '', 1])('sort_by %p is a 422', async (sortBy) => {
      expectMetricsError(await query('search', { sort_by: sortBy }), 422, 'UNPROCESSABLE_ENTITY')
    })

    test.each(['no cursor of ours', '', 1, {}, 'x'.repeat(10_000)])('cursor %p is a 422', async (cursor) => {
      expectMetricsError(await query('search', { cursor }), 422, 'UNPROCESSABLE_ENTITY', 'query is not valid')
    })
  })

  describe('stats · field (string attribute path), operator (string)', () => {
    test('one value', async () => {
      const { data, meta } = ok(await query('stats')).json<StatsAnswer>()
      expect(Number(data.value)).toBeGreaterThan(0)
      expect(meta.type).toBe('stats')
    })

    test('operator stats: count, min, max, avg, sum that agree with the single operators', async () => {
      const all = ok(await query('stats', { operator: 'stats' })).json<StatsAnswer>().data.value as StatsValue
      for (const operator of ['min', 'max', 'avg', 'sum'] as const) {
        const single = ok(await query('stats', { operator })).json<StatsAnswer>().data.value
        expect(single).toBe(all[operator])
      }
      const count = ok(
        await query('stats', { field: 'order.id', operator: 'value_count' }),
      ).json<StatsAnswer>()
      expect(count.data.value).toBe(all.count)
      expect(Math.abs(all.sum / all.count - all.avg)).toBeLessThanOrEqual(0.005 + 1e-9)
    })

    test.each(['field', 'operator'])('without %s it is a 422 that names it', async (key) => {
      const error = expectMetricsError(
        await query('stats', { [key]: undefined }),
        422,
        'UNPROCESSABLE_ENTITY',
      )
      expect(JSON.stringify(error.meta?.errors)).toContain(`"${key}"`)
    })
  })

  describe('Attribute paths have the form <entity>.<attribute>. Paths used by the interface include order.id, order.number, order.placed_at, order.created_at, order.country_code, order.total_amount_with_taxes and line_items.discount.', () => {
    test('all of them in one search', async () => {
      const fields = [
        'order.id',
        'order.number',
        'order.placed_at',
        'order.created_at',
        'order.country_code',
        'order.total_amount_with_taxes',
        'line_items.discount',
      ]
      const [record] = ok(await query('search', { fields, limit: 1 })).json<SearchAnswer>().data
      expect(record).toMatchObject({
        id: expect.stringMatching(/^[a-zA-Z]{10,}$/) as unknown,
        placed_at: expect.stringMatching(/Z$/) as unknown,
        created_at: expect.stringMatching(/Z$/) as unknown,
        country_code: expect.stringMatching(/^[A-Z]{2}$/) as unknown,
        total_amount_with_taxes: expect.any(Number) as unknown,
      })
      expect(record?.['number']).toBeDefined()
      expect(record?.['line_items']).toContainEqual({ discount: expect.any(Number) as unknown })
    })

    test.each(['order.placed_at', 'order.created_at'])('date_breakdown by %s', async (by) => {
      ok(await query('date_breakdown', { by }))
    })

    test.each(['order.country_code', 'order.id', 'order.number'])('breakdown by or over %s', async (path) => {
      const body = path === 'order.country_code' ? { by: path } : { field: path }
      ok(await query('breakdown', body))
    })

    test.each(['order.total_amount_with_taxes', 'line_items.discount'])('stats over %s', async (field) => {
      ok(await query('stats', { field }))
    })

    test.each([
      'order',
      '.id',
      'order.',
      'orders.id',
      'order.id.x',
      'order..id',
      'constructor.name',
      "order.id'",
      '',
    ])('a path of no such form or name is a 422: %p', async (field) => {
      expectMetricsError(await query('stats', { field }), 422, 'UNPROCESSABLE_ENTITY', 'query is not valid')
    })
  })

  test('sort: desc is used.', async () => {
    ok(await query('breakdown', { sort: 'desc' }))
    ok(await query('search', { sort: 'desc' }))
  })

  describe('interval: month and year are used.', () => {
    test('year buckets are sums of their month buckets', async () => {
      const months = ok(await query('date_breakdown', { interval: 'month' })).json<DateBreakdownAnswer>().data
      const years = ok(await query('date_breakdown', { interval: 'year' })).json<DateBreakdownAnswer>().data
      for (const { date, value } of years) {
        expect(date).toMatch(/^\d{4}-01-01T00:00:00\.000Z$/)
        const inYear = months.filter((month) => month.date.slice(0, 4) === date.slice(0, 4))
        const cents = inYear.reduce((sum, month) => sum + Math.round(Number(month.value) * 100), 0)
        expect(Math.round(Number(value) * 100)).toBe(cents)
      }
    })
  })

  describe('operator for date_breakdown: avg, max, min, sum, stats (exactly these are valid).', () => {
    test.each(['avg', 'max', 'min', 'sum', 'stats'])('%s is valid', async (operator) => {
      const { data } = ok(await query('date_breakdown', { operator })).json<DateBreakdownAnswer>()
      expect(data.length).toBeGreaterThan(0)
    })

    test.each(['value_count', 'cardinality', 'percentiles', 'count', 'SUM', 'sum ', 'median', ''])(
      '%p is not valid, whatever the field',
      async (operator) => {
        for (const field of ['order.total_amount_with_taxes', 'order.id']) {
          const reply = await query('date_breakdown', { operator, field })
          const error = expectMetricsError(reply, 422, 'UNPROCESSABLE_ENTITY', 'query is not valid')
          if (field === 'order.total_amount_with_taxes') {
            expect(JSON.stringify(error.meta?.errors)).toContain('avg, max, min, sum, stats')
          }
        }
      },
    )
  })

  test('operator value_count is used with breakdown and stats.', async () => {
    const buckets = ok(await query('breakdown', { limit: 100 })).json<BreakdownAnswer>().data[
      'order.country_code'
    ]
    const whole = ok(await query('stats', { field: 'order.id', operator: 'value_count' })).json<StatsAnswer>()
    expect((buckets ?? []).reduce((sum, { value }) => sum + Number(value), 0)).toBe(whole.data.value)
  })

  test('condition key gt is used with breakdown.', async () => {
    const all =
      ok(await query('breakdown', { limit: 100 })).json<BreakdownAnswer>().data['order.country_code'] ?? []
    const threshold = Number(all[Math.floor(all.length / 2)]?.value)
    const reply = await query('breakdown', { limit: 100, condition: { gt: threshold } })
    const kept = ok(reply).json<BreakdownAnswer>().data['order.country_code']
    expect(kept).toEqual(all.filter(({ value }) => Number(value) > threshold))
  })
})
