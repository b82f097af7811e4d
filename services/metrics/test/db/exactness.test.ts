/** A million amounts, as lines of ten thousand orders: sums to the cent, distinct counts without a guess, exact averages. */
import type { Attribute } from '../../src/catalogue/attribute.ts'
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts'
import type { AggregatePlan, Key } from '../../src/plan/plan.ts'
import { toMeasuredValue } from '../../src/present/value.ts'
import { PERCENTS } from '../../src/sql/render-measure.ts'
import { renderBuckets } from '../../src/sql/render.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const ORDERS = 10_000
const LINES = 100
const AMOUNTS = ORDERS * LINES
/** Cents of amount `n`: large, with cents that binary fractions cannot hold. */
const centsOf = (n: number): number => ((n * 7_919) % 900_001) * 10_007 + (n % 100)
const ITEMS = 654_321

const orders = loadCatalogue().get('orders')
if (orders === undefined) throw new Error('no orders')

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  const text = `INSERT INTO orders (organization_id, mode, id, version, market_id, status, currency_code, created_at,
      current_date, \`line_items.total_amount\`, \`line_items.item_id\`)
    SELECT 'orgAAAAAAA', 'test', concat('order', toString(number)), 1, 'marketEURO', 'placed',
      if(number % 2 = 0, 'EUR', 'USD'), toDateTime64('2022-01-01 00:00:00.000', 3, 'UTC') + number AS at, at,
      arrayMap(i -> divideDecimal(toDecimal128((number * ${LINES} + i) * 7919 % 900001 * 10007 + i, 0),
        toDecimal128(100, 0), 4), range(${LINES})),
      arrayMap(i -> toString((number * ${LINES} + i) % ${ITEMS}), range(${LINES}))
    FROM numbers(${ORDERS})`
  await store.engine.execute({ text, params: {} })
  app = await openTestApp({ engine: store.engine })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

const filter = { order: { date_from: '2022-01-01T00:00:00Z', date_to: '2023-01-01T00:00:00Z' } }

const value = async (field: string, operator: string): Promise<unknown> => {
  const { status, body } = await app.ask('/metrics/orders/stats', { stats: { field, operator }, filter })
  expect(status).toBe(200)
  return (body as { data: { value: unknown } }).data.value
}

const all = Array.from({ length: AMOUNTS }, (_, n) => centsOf(n))
const sumOf = (cents: readonly number[]): bigint => cents.reduce((sum, one) => sum + BigInt(one), 0n)

/** Cents as the number that JSON shows, from exact text. */
const shown = (cents: bigint): number => {
  const text = String(cents).padStart(3, '0')
  return Number(`${text.slice(0, -2)}.${text.slice(-2)}`)
}

it('sums a million amounts to the cent', async () => {
  expect(await value('line_items.total_amount', 'sum')).toBe(shown(sumOf(all)))
})

it('sums each group to the cent', async () => {
  const breakdown = { by: 'order.currency_code', field: 'line_items.total_amount', operator: 'sum' }
  const { body } = await app.ask('/metrics/orders/breakdown', { breakdown, filter })
  const sums = [0, 1].map((rest) => shown(sumOf(all.filter((_, n) => Math.floor(n / LINES) % 2 === rest))))
  const { data } = body as { data: Record<string, { label: string; value: number }[]> }
  const found = Object.fromEntries((data['order.currency_code'] ?? []).map((one) => [one.label, one.value]))
  expect(found).toEqual({ EUR: sums[0], USD: sums[1] })
})

it('averages them as an exact quotient, rounded half away from zero to the cent', async () => {
  const quotient = (sumOf(all) * 2n + BigInt(AMOUNTS)) / (2n * BigInt(AMOUNTS))
  expect(await value('line_items.total_amount', 'avg')).toBe(shown(quotient))
})

it('counts distinct values without a guess', async () => {
  expect(await value('line_items.item_id', 'cardinality')).toBe(ITEMS)
  expect(await value('line_items.item_id', 'value_count')).toBe(AMOUNTS)
  expect(await value('order.id', 'cardinality')).toBe(ORDERS)
})

describe('percentiles of a million amounts', () => {
  const budget = { timeoutMs: 60_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10 }
  const attribute = (path: string): Attribute => {
    const found = orders.attributes.get(path)
    if (found === undefined) throw new Error(`no ${path}`)
    return found
  }

  const measure = { field: attribute('line_items.total_amount'), operator: 'percentiles' } as const

  const planOf = (key?: Key): AggregatePlan => {
    const environment = { organizationId: 'orgAAAAAAA', mode: 'test' }
    return {
      kind: 'aggregate',
      reach: { table: orders.table, environment, predicates: [] },
      levels: [
        key === undefined
          ? { measure, order: [] }
          : { key, measure, order: [{ by: 'key', direction: 'asc' }] },
      ],
    }
  }

  /** Position = percent × (n - 1) / 100, between the two nearest values; rounded to cents. */
  const percentileOf = (sorted: readonly number[], percent: number): number => {
    const position = percent * (sorted.length - 1)
    const low = sorted[Math.floor(position / 100)] ?? 0
    const high = sorted[Math.floor(position / 100) + 1] ?? low
    const hundredths = BigInt(low) * BigInt(100 - (position % 100)) + BigInt(high) * BigInt(position % 100)
    return shown((hundredths + 50n) / 100n)
  }

  it('are exact', async () => {
    const sorted = all.toSorted((a, b) => a - b)
    const [row = {}] = await store.engine.run(renderBuckets(planOf(), 0), budget)
    expect(toMeasuredValue(row, measure)).toEqual(
      Object.fromEntries(PERCENTS.map((percent) => [`${percent}.0`, percentileOf(sorted, percent)])),
    )
  })

  it.each([
    ['all', undefined],
    ['each currency', { attribute: attribute('order.currency_code') }],
  ] as const)('of %s are the same when they are sorted after they are gathered', async (_of, key) => {
    const found = await store.engine.run(renderBuckets(planOf(key), 0), budget)
    expect(found).toHaveLength(key === undefined ? 1 : 2)
    expect(await store.engine.run(renderBuckets(planOf(key), 0, { hasMany: true }), budget)).toEqual(found)
  })
})

describe('sums near the largest whole number that JSON holds', () => {
  const LARGEST = Number.MAX_SAFE_INTEGER
  const PER_ORDER = '90071992547409.91'

  beforeAll(async () => {
    const text = `INSERT INTO orders (organization_id, mode, id, version, market_id, status, currency_code, created_at,
        current_date, total_amount, skus_count)
      SELECT 'orgAAAAAAA', 'test', concat('large', toString(number)), 1, 'marketEURO', 'placed', 'VND', at, at,
        toDecimal64('${PER_ORDER}', 4), 1
      FROM numbers(100) ARRAY JOIN [toDateTime64('2024-01-01 00:00:00.000', 3, 'UTC')] AS at`
    await store.engine.execute({ text, params: {} })
  })

  const order = { date_from: '2024-01-01T00:00:00Z', date_to: '2024-12-31T23:59:59Z' }

  it.each([
    [{ eq: LARGEST }, true],
    [{ gt: LARGEST - 1 }, true],
    [{ gt: LARGEST }, false],
    [{ lt: LARGEST }, false],
    [{ gte_lte: [-LARGEST, LARGEST] }, true],
    [{ ne: LARGEST }, false],
  ])('are compared exactly: %j', async (condition, passes) => {
    const breakdown = { by: 'order.currency_code', field: 'order.total_amount', operator: 'sum', condition }
    const { status, body } = await app.ask('/metrics/orders/breakdown', { breakdown, filter: { order } })
    const buckets = passes ? [{ label: 'VND', value: LARGEST }] : []
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: { 'order.currency_code': buckets } },
    })
  })

  it.each([
    ['order.total_amount', 'avg'],
    ['order.total_amount', 'min'],
    ['order.skus_count', 'max'],
    ['order.skus_count', 'sum'],
    ['order.id', 'value_count'],
    ['order.id', 'cardinality'],
    ['customer.id', 'cardinality'],
  ])('are compared with %s %s as well', async (field, operator) => {
    const breakdown = { by: 'order.currency_code', field, operator, condition: { lt: LARGEST } }
    const { status, body } = await app.ask('/metrics/orders/breakdown', { breakdown, filter: { order } })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: { 'order.currency_code': [{ label: 'VND' }] } },
    })
  })

  it.each([
    ['total_amount', { lt: LARGEST }, 100],
    ['total_amount', { gt: -LARGEST }, 100],
    ['total_amount', { gte: 100_000_000_000_000 }, 0],
    ['total_amount', { lt: 99_999_999_999_999 }, 100],
    ['total_amount', { gt: 90_071_992_547_409 }, 100],
    ['skus_count', { lt: LARGEST }, 100],
    ['skus_count', { gt_lt: [-LARGEST, LARGEST] }, 100],
  ])('are no harm to filters: %s %j', async (key, condition, count) => {
    const stats = { field: 'order.id', operator: 'value_count' }
    const filter = { order: { ...order, [key]: condition } }
    const { status, body } = await app.ask('/metrics/orders/stats', { stats, filter })
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { value: count } } })
  })
})
