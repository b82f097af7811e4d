/**
 * Orders that were sold through the interface in every currency of the demo: what metrics answers about their statuses, amounts,
 * refunds and shipments are sums over core's own collections.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect, everyRecord } from './support/connect.ts'
import { environment } from './support/demo.ts'
import { sell, type Step } from './support/sell.ts'
import type { CollectionDocument, ResourceDocument, ResourceObject } from './support/wire.ts'

const PATIENCE_MS = 60_000

const PLACED = ['lines', 'address', 'place'] as const
const CAPTURED = [...PLACED, 'approve', 'capture'] as const

const STORIES: readonly (readonly Step[])[] = [
  ['lines', 'address'],
  PLACED,
  [...PLACED, 'cancel'],
  [...PLACED, 'approve'],
  CAPTURED,
  [...CAPTURED, 'pack', 'ship'],
  [...CAPTURED, 'refund a part'],
  [...CAPTURED, 'refund'],
]

const MARKETS = environment('test').markets.filter((market) => !market.private)

/** The code of a SKU of which the market has some left. */
const codeIn = async (market: string): Promise<string> => {
  const token = await accessToken('sales_channel', { scope: `market:id:${market}` })
  const query = { 'page[size]': 25, 'filter[q][stock_items_quantity_gt]': 50 }
  const page = await connect().core('skus', { token, query })
  for (const { id } of page.json<CollectionDocument>().data) {
    const sku = (await connect().core(`skus/${id}`, { token })).json<ResourceDocument>().data
    const { available, quantity } = sku.attributes['inventory'] as { available: boolean; quantity: number }
    if (available && quantity > 2 * STORIES.length) return String(sku.attributes['code'])
  }
  throw new Error(`nothing that can be bought in ${market}`)
}

interface Core {
  readonly orders: readonly ResourceObject[]
  readonly shipments: readonly ResourceObject[]
  readonly refunds: readonly ResourceObject[]
}

let ids: readonly string[]
let core: Core

const readCore = async (): Promise<Core> => {
  const token = await accessToken('integration')
  const about = (name: string) => ({
    token,
    query: { [`filter[q][${name}]`]: ids.join(','), include: 'order' },
  })
  const [orders, shipments, refunds] = await Promise.all([
    everyRecord('orders', { token, query: { 'filter[q][id_in]': ids.join(',') } }),
    everyRecord('shipments', about('order_id_in')),
    everyRecord('refunds', about('order_id_in')),
  ])
  return { orders: orders.data, shipments: shipments.data, refunds: refunds.data }
}

beforeAll(async () => {
  const sold: string[] = []
  for (const { id: market } of MARKETS) {
    const skuCode = await codeIn(market)
    for (const [at, steps] of STORIES.entries()) {
      const email = `sums.${market}.${at}.${Date.now()}@example.com`
      sold.push(await sell({ email, skuCode, quantity: 1 + (at % 2), market }, steps))
    }
  }
  ids = sold
  core = await readCore()
}, 300_000)

const read = ({ attributes }: ResourceObject, name: string): string => String(attributes[name])

/** Orders that metrics calls orders: a cart is none. */
const placed = (): readonly ResourceObject[] =>
  core.orders.filter(({ attributes }) => attributes['placed_at'] !== null)

const sumBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  valueOf: (item: Item) => number,
): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {}
  for (const item of items) sums[keyOf(item)] = (sums[keyOf(item)] ?? 0) + valueOf(item)
  return Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, Number(sum.toFixed(2))]))
}

const count = (): number => 1

interface Bucket {
  readonly label: string
  readonly value: number
}

const breakdown = async (by: string, field: string, operator: string, resource = 'orders') => {
  const token = await accessToken('integration')
  const body = {
    breakdown: { by, field, operator, limit: 100 },
    filter: { order: { date_field: 'created_at', ids: { in: ids } } },
  }
  const reply = await connect().metrics(`${resource}/breakdown`, body, { token })
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  const { data } = reply.json<{ readonly data: Readonly<Record<string, readonly Bucket[]>> }>()
  return Object.fromEntries((data[by] ?? []).map(({ label, value }) => [label, Number(value.toFixed(2))]))
}

/** Metrics follows within a second; on a busy machine a little later. */
const eventuallyEqual = async (
  ask: () => Promise<Readonly<Record<string, number>>>,
  expected: Readonly<Record<string, number>>,
): Promise<void> => {
  const since = performance.now()
  for (;;) {
    const answer = await ask()
    const isEqual =
      JSON.stringify(Object.entries(answer).toSorted()) ===
      JSON.stringify(Object.entries(expected).toSorted())
    if (isEqual || performance.now() - since > PATIENCE_MS) return expect(answer).toEqual(expected)
    await wait(100)
  }
}

test('the orders were sold in four currencies, and seven of eight in each were placed', () => {
  expect(new Set(core.orders.map((order) => read(order, 'currency_code')))).toEqual(
    new Set(['EUR', 'USD', 'GBP', 'JPY']),
  )
  expect(core.orders).toHaveLength(MARKETS.length * STORIES.length)
  expect(placed()).toHaveLength(MARKETS.length * (STORIES.length - 1))
})

test.each(['status', 'payment_status', 'fulfillment_status'])('orders by %s', async (name) => {
  const expected = sumBy(placed(), (order) => read(order, name), count)
  expect(Object.keys(expected).length).toBeGreaterThan(2)
  await eventuallyEqual(() => breakdown(`order.${name}`, 'order.id', 'value_count'), expected)
})

test.each(['total_amount_with_taxes', 'subtotal_amount', 'shipping_amount', 'total_tax_amount'])(
  '%s by currency',
  async (name) => {
    const expected = sumBy(
      placed(),
      (order) => read(order, 'currency_code'),
      (order) => Number(read(order, `${name}_float`)),
    )
    await eventuallyEqual(() => breakdown('order.currency_code', `order.${name}`, 'sum'), expected)
  },
)

test('what was refunded by currency', async () => {
  const given = (row: ResourceObject) => Number(read(row, 'amount_float'))
  const expected = sumBy(core.refunds, (refund) => read(refund, 'currency_code'), given)
  expect(core.refunds).toHaveLength(MARKETS.length * 2)
  await eventuallyEqual(
    async () => breakdown('order.currency_code', 'order.refunds_total_amount_with_taxes', 'sum'),
    expected,
  )
})

test('shipments by the status of what they belong to', async () => {
  const statusOf = new Map(core.orders.map((order) => [order.id, read(order, 'fulfillment_status')]))
  const ownerOf = ({ relationships }: ResourceObject): string =>
    (relationships?.['order']?.data as { readonly id: string }).id
  const ofPlaced = core.shipments.filter((row) => placed().some(({ id }) => id === ownerOf(row)))
  const expected = sumBy(ofPlaced, (row) => statusOf.get(ownerOf(row)) ?? '', count)
  await eventuallyEqual(() => breakdown('order.fulfillment_status', 'shipments.id', 'value_count'), expected)
})

test('carts by currency', async () => {
  const carts = core.orders.filter(({ attributes }) => attributes['placed_at'] === null)
  const expected = sumBy(carts, (order) => read(order, 'currency_code'), count)
  await eventuallyEqual(() => breakdown('order.currency_code', 'order.id', 'value_count', 'carts'), expected)
})
