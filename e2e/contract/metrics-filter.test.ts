import { accessToken, connect } from '../support/connect.ts'
import { ALL_TIME, everyOrder } from '../support/every-order.ts'
import { expectMetricsError } from '../support/expect-errors.ts'
import type { Reply } from '../support/send.ts'
import type { StatsAnswer } from '../support/wire.ts'

const PLACED = { ...ALL_TIME, date_field: 'placed_at' } as const

/** The ten comparison operators, with what each means for a number; the last four take [low, high]. */
const OPERATORS: Readonly<Record<string, (value: number, low: number, high: number) => boolean>> = {
  eq: (value, low) => value === low,
  ne: (value, low) => value !== low,
  gt: (value, low) => value > low,
  gte: (value, low) => value >= low,
  lt: (value, low) => value < low,
  lte: (value, low) => value <= low,
  gt_lt: (value, low, high) => value > low && value < high,
  gte_lte: (value, low, high) => value >= low && value <= high,
  gte_lt: (value, low, high) => value >= low && value < high,
  gt_lte: (value, low, high) => value > low && value <= high,
}

const count = async (filter: unknown): Promise<Reply> =>
  connect().metrics(
    'orders/stats',
    { stats: { field: 'order.id', operator: 'value_count' }, filter },
    { token: await accessToken('integration') },
  )

const counted = async (filter: unknown): Promise<number> => {
  const reply = await count(filter)
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return Number(reply.json<StatsAnswer>().data.value)
}

/** 422 `filter is not valid`; gives back meta.errors. */
const refused = async (filter: unknown): Promise<unknown> =>
  expectMetricsError(await count(filter), 422, 'UNPROCESSABLE_ENTITY', 'filter is not valid').meta?.errors

interface Line {
  readonly discount?: number
  readonly tax_rate?: number
}

const linesOf = (record: Readonly<Record<string, unknown>>): readonly Line[] =>
  (record['line_items'] ?? []) as Line[]

describe('Metrics filter object', () => {
  describe('order · date_from · ISO 8601 UTC timestamp; when present, date_to is required', () => {
    test('with date_to it bounds the orders from below, inclusively', async () => {
      const orders = await everyOrder(['order.placed_at'])
      const middle = String(orders[Math.floor(orders.length / 2)]?.['placed_at']).replace(/\.\d+Z$/, 'Z')
      const expected = orders.filter(
        (order) => String(order['placed_at']) >= middle.replace('Z', '.000Z'),
      ).length
      expect(await counted({ order: { ...PLACED, date_from: middle } })).toBe(expected)
    })

    test('alone it is refused', async () => {
      expect(await refused({ order: { date_from: ALL_TIME.date_from } })).toEqual([
        { order: [{ date_to: [expect.stringContaining('is required with date_from')] }] },
      ])
    })

    test.each(['yesterday', '2024-13-01T00:00:00Z', '2024-02-30T00:00:00Z', '', 5, null, {}, '01/02/2024'])(
      '%p is refused by name',
      async (value) => {
        const errors = await refused({ order: { date_from: value, date_to: ALL_TIME.date_to } })
        expect(JSON.stringify(errors)).toContain('"date_from"')
      },
    )
  })

  describe('order · date_to · ISO 8601 UTC timestamp', () => {
    test('bounds the orders from above, inclusively', async () => {
      const orders = await everyOrder(['order.placed_at'])
      const middle = String(orders[Math.floor(orders.length / 2)]?.['placed_at']).replace(/\.\d+Z$/, 'Z')
      const expected = orders.filter(
        (order) => String(order['placed_at']) <= middle.replace('Z', '.000Z'),
      ).length
      const found = await counted({ order: { ...PLACED, date_to: middle } })
      // Whether a bound in whole seconds includes that whole second is not said; both are at most a second apart.
      const second = orders.filter((order) =>
        String(order['placed_at']).startsWith(middle.slice(0, 19)),
      ).length
      expect(found).toBeGreaterThanOrEqual(expected)
      expect(found).toBeLessThanOrEqual(expected + second)
    })

    test('before date_from it is refused', async () => {
      const errors = await refused({ order: { date_from: ALL_TIME.date_to, date_to: ALL_TIME.date_from } })
      expect(JSON.stringify(errors)).toContain('date_')
    })

    test('without date_from it is refused', async () => {
      expect(JSON.stringify(await refused({ order: { date_to: ALL_TIME.date_to } }))).toContain('date_from')
    })
  })

  describe('order · date_field · string; values in use: current_date, created_at, updated_at, fulfillment_updated_at', () => {
    test.each(['current_date', 'created_at', 'updated_at', 'fulfillment_updated_at'])(
      '%s selects by that date',
      async (field) => {
        const orders = await everyOrder([`order.${field}`], { order: { ...PLACED } })
        const dates = orders.map((order) => order[field]).filter((date) => typeof date === 'string')
        const middle = dates.toSorted()[Math.floor(dates.length / 2)]?.replace(/\.\d+Z$/, 'Z') ?? ''
        const expected = dates.filter((date) => date >= middle.replace('Z', '.000Z')).length
        expect(expected).toBeGreaterThan(0)
        const filter = {
          order: {
            ...ALL_TIME,
            date_from: middle,
            date_field: field,
            statuses: { in: ['placed', 'approved', 'cancelled', 'editing'] }, // the default
          },
        }
        expect(await counted(filter)).toBe(expected)
      },
    )

    test.each(['paid_at', 'CREATED_AT', '', 1, null, 'created_at; --'])(
      '%p is refused by name',
      async (value) => {
        const errors = await refused({ order: { ...ALL_TIME, date_field: value } })
        expect(JSON.stringify(errors)).toContain('"date_field"')
      },
    )
  })

  test('order · gift_card_code · invalid as a filter key (rejected with the message not valid)', async () => {
    expect(await refused({ order: { ...PLACED, gift_card_code: { in: ['X'] } } })).toEqual([
      { order: [{ gift_card_code: ['not valid'] }] },
    ])
  })

  describe('line_items · discount · comparison object, for example with lt and a number', () => {
    test.each(Object.keys(OPERATORS))(
      '%s keeps the orders with such a line item',
      async (operator) => {
        const orders = await everyOrder(['order.id', 'line_items.discount'])
        const discounts = orders
          .flatMap(linesOf)
          .flatMap(({ discount }) => (discount === undefined ? [] : [discount]))
          .toSorted((a, b) => a - b)
        const low = discounts[Math.floor(discounts.length / 40)] ?? 0
        const high = discounts[Math.floor(discounts.length / 4)] ?? 0
        const value = operator.includes('_') ? [low, high] : low
        const test = OPERATORS[operator]
        const expected = orders.filter((order) =>
          linesOf(order).some(
            ({ discount }) => discount !== undefined && test?.(discount, low, high) === true,
          ),
        )
        expect(await counted({ order: PLACED, line_items: { discount: { [operator]: value } } })).toBe(
          expected.length,
        )
      },
      60_000,
    )

    test('lt 0 keeps the orders with a discounted line, and there are some', async () => {
      const found = await counted({ order: PLACED, line_items: { discount: { lt: 0 } } })
      expect(found).toBeGreaterThan(0)
      expect(found).toBeLessThan(await counted({ order: PLACED }))
    })
  })

  describe('line_items · tax_rate · comparison object; the operator in is invalid', () => {
    test('a comparison is accepted', async () => {
      expect(await counted({ order: PLACED, line_items: { tax_rate: { gte: 0 } } })).toBeGreaterThan(0)
    })

    test('in is refused, and the message lists the valid operators', async () => {
      const errors = await refused({ line_items: { tax_rate: { in: [0.22] } } })
      expect(errors).toEqual([
        {
          line_items: [
            {
              tax_rate: [expect.stringContaining('eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte')],
            },
          ],
        },
      ])
    })
  })

  test('line_items · options.name · invalid as a filter key (rejected with the message not valid)', async () => {
    expect(await refused({ line_items: { 'options.name': { in: ['x'] } } })).toEqual([
      { line_items: [{ 'options.name': ['not valid'] }] },
    ])
  })

  describe('shipping_address · country_codes · object with a not_in key holding an array of country code strings (shape used in requests)', () => {
    test('leaves out the orders of these countries', async () => {
      const orders = await everyOrder(['shipping_address.country_code'])
      const codes = orders.map((order) => {
        const address = order['shipping_address'] as { readonly country_code?: string } | undefined
        return address?.country_code
      })
      const [code] = codes.filter((candidate) => candidate !== undefined)
      const found = await counted({ order: PLACED, shipping_address: { country_codes: { not_in: [code] } } })
      const others = codes.filter((candidate) => candidate !== code)
      expect(found).toBeLessThan(codes.length)
      expect([others.length, others.filter((candidate) => candidate !== undefined).length]).toContain(found)
    })

    test.each([['IT'], [[]], [[1]], [null], [{}]])('not_in %j is refused', async (value) => {
      await refused({ shipping_address: { country_codes: { not_in: value } } })
    })
  })

  describe('Valid comparison operators in filters: eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte.', () => {
    test.each(Object.keys(OPERATORS))(
      '%s gives what the same comparison of all orders gives',
      async (operator) => {
        const orders = await everyOrder(['order.total_amount_with_taxes'])
        const amounts = orders.map((order) => Number(order['total_amount_with_taxes']))
        const sorted = amounts.toSorted((a, b) => a - b)
        const low = sorted[Math.floor(sorted.length / 4)] ?? 0
        const high = sorted[Math.floor((3 * sorted.length) / 4)] ?? 0
        const test = OPERATORS[operator]
        const expected = amounts.filter((amount) => test?.(amount, low, high))
        const value = operator.includes('_') ? [low, high] : low
        const filter = { order: { ...PLACED, total_amount_with_taxes: { [operator]: value } } }
        expect(await counted(filter)).toBe(expected.length)
      },
    )

    test.each(['in', 'not_in', 'query', 'like', 'GT', 'between', '=', ''])(
      '%p is refused on a number',
      async (operator) => {
        const errors = await refused({ order: { ...PLACED, total_amount_with_taxes: { [operator]: [1] } } })
        expect(JSON.stringify(errors)).toContain('eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte')
      },
    )

    test.each(['gt_lt', 'gte_lte', 'gte_lt', 'gt_lte'])('%s wants exactly two numbers', async (operator) => {
      for (const value of [1, [1], [1, 2, 3], ['1', '2'], [null, 1], []]) {
        await refused({ order: { ...PLACED, total_amount: { [operator]: value } } })
      }
    })

    test.each(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])('%s wants one number', async (operator) => {
      for (const value of ['1', [1], null, {}, true]) {
        await refused({ order: { ...PLACED, total_amount: { [operator]: value } } })
      }
    })

    test('two operators on one attribute are refused', async () => {
      await refused({ order: { ...PLACED, total_amount: { gt: 1, lt: 5 } } })
    })
  })
})
