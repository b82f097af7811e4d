/**
 * The same order, and orders of the same goods, moved by two processes of core at once: nothing happens twice, money and goods
 * go together, and whoever comes second is told so (docs/adr/0078, 0085).
 */
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'
import { createPool } from '@merx/postgres/pool'
import { modelSeed } from '@merx/testing/model-settings'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { changePrice, changeStock, startOfOrder } from '../../../load/checkout-requests.ts'
import { sendAs } from '../../../load/core-requests.ts'
import { decodeId, encodeId } from '../../../load/load-ids.ts'
import { openBooks } from '../../support/any-requests/books.ts'
import type { Page } from '../../support/any-requests/books.ts'
import { brokenEvents } from '../../support/any-requests/event-laws.ts'
import { brokenLaws, moneyOf } from '../../support/any-requests/laws.ts'
import { openTwoCores, outcomeOf, overpromised, startMerchant } from '../support/two-cores.ts'
import type { TwoCores } from '../support/two-cores.ts'

let shop: TwoCores
let pool: Pool

beforeAll(async () => {
  shop = await openTwoCores('races')
  pool = createPool({
    url: shop.databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    applicationName: 'test',
  })
})
afterAll(async () => {
  await pool.end()
  await shop.close()
})

const RACES = 12

/** Orders of two pieces each, with stock for all of them at two locations, moved by these triggers. */
const ordersThat = (...triggers: readonly string[]) => ordersOf([RACES, RACES, 0], triggers)

const ordersOf = async (stock: readonly number[], triggers: readonly string[]) => {
  await shop.usesStrategy('split_shipments')
  const sku = shop.nextSku()
  await shop.setStock(sku, stock)
  const goods = [{ sku: encodeId('skus', sku), quantity: 2 }]
  const orders = (await shop.payable(RACES, () => goods)).map((purchase) => purchase.order())
  for (const trigger of triggers)
    for (const answer of await Promise.all(orders.map((order, at) => start(at, order, trigger))))
      expect(outcomeOf(answer)).toBe('done')
  return { sku, orders, read: openBooks(pool, { orders: orders.map(numberOf), skus: [sku] }) }
}

const numberOf = (order: string): number => decodeId('orders', order) ?? 0

const start = (turn: number, order: string, trigger: string): Promise<LoadAnswer> =>
  shop.frontOf(turn).send(startOfOrder(shop.tokens.adminToken, order, trigger))

/** Both requests at once, each to a process of its own, for every order. */
const race = (
  orders: readonly string[],
  first: (order: string, turn: number) => LoadRequest,
  second: (order: string, turn: number) => LoadRequest,
): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    orders.map(async (order, at) => {
      const answers = await Promise.all([
        shop.frontOf(at).send(first(order, at)),
        shop.frontOf(at + 1).send(second(order, at)),
      ])
      return answers.map(outcomeOf)
    }),
  )

const by =
  (trigger: string) =>
  (order: string): LoadRequest =>
    startOfOrder(shop.tokens.adminToken, order, trigger)

const expectLaws = ({ books, ...log }: Page): void => {
  expect(brokenLaws(books, new Set())).toEqual([])
  expect(brokenEvents(log)).toEqual([])
}

const countOf = ({ events }: Page, topic: string): number =>
  events.filter(({ name }) => name === topic).length

const ofType = ({ books }: Page, type: string): number =>
  books.transactions.filter((row) => row.type === type).length

test('an order that is placed twice at once is placed once', async () => {
  const { orders, read } = await ordersThat()
  await read()
  const outcomes = await race(orders, by('_place'), by('_place'))
  expect(outcomes).toEqual(orders.map(() => ['done', 'done']))
  const page = await read()
  expectLaws(page)
  expect([countOf(page, 'orders.place'), ofType(page, 'authorizations')]).toEqual([RACES, RACES])
})

test('an order that is captured twice at once, as a whole and by its authorization, is paid once', async () => {
  const { orders, read } = await ordersThat('_place', '_approve')
  const { books } = await read()
  const authorizationOf = (order: string): LoadRequest => {
    const number = books.transactions.find((row) => row.order_id === numberOf(order))?.id ?? 0
    const id = encodeId('transactions', number)
    const data = { type: 'authorizations', id, attributes: { _capture: true } }
    return sendAs(shop.tokens.adminToken, 'PATCH', `/api/authorizations/${id}`, data)
  }
  const outcomes = await race(orders, by('_capture'), (order, at) =>
    at % 2 === 0 ? by('_capture')(order) : authorizationOf(order),
  )
  expect(outcomes.flat().filter((outcome) => outcome !== 'done')).toEqual([])
  const page = await read()
  expectLaws(page)
  expect([countOf(page, 'orders.pay'), ofType(page, 'captures')]).toEqual([RACES, RACES])
})

test('of a cancellation and a capture at once one happens, and the other is refused', async () => {
  const { orders, read } = await ordersThat('_place', '_approve')
  await read()
  const outcomes = await race(orders, by('_cancel'), by('_capture'))
  const page = await read()
  expectLaws(page)
  for (const [at, order] of orders.entries()) {
    const row = page.books.orders.find(({ id }) => id === numberOf(order))
    const isCancelled = row?.status === 'cancelled'
    expect(outcomes[at]).toEqual(isCancelled ? ['done', 'invalid_status'] : ['not_cancellable', 'done'])
    expect(moneyOf(page.books, numberOf(order)).received > 0).toBe(!isCancelled)
  }
})

test('two refunds of more than half at once never give back more than was paid', async () => {
  const { orders, read } = await ordersThat('_place', '_approve_and_capture')
  const { books } = await read()
  const refund = (order: string): LoadRequest => {
    const capture = books.transactions.find(
      (row) => row.type === 'captures' && row.order_id === numberOf(order),
    )
    const id = encodeId('transactions', capture?.id ?? 0)
    const _refund_amount_cents = Math.ceil((capture?.amount_cents ?? 0) * 0.6)
    const data = { type: 'captures', id, attributes: { _refund: true, _refund_amount_cents } }
    return sendAs(shop.tokens.adminToken, 'PATCH', `/api/captures/${id}`, data)
  }
  const outcomes = await race(orders, refund, refund)
  expect(outcomes.map((each) => each.filter((outcome) => outcome === 'done').length)).toEqual(
    orders.map(() => 1),
  )
  const page = await read()
  expectLaws(page)
  expect(ofType(page, 'refunds')).toBe(RACES)
})

test('a cart that grows while it is placed is paid for what it holds', async () => {
  // At one location, because an order that needs two shipments after all is refused (stock_moved).
  const { orders, read } = await ordersOf([RACES * 3, 0, 0], [])
  const { books } = await read()
  const grow = (order: string): LoadRequest => {
    const line = books.line_items.find((row) => row.order_id === numberOf(order) && row.item_type === 'skus')
    const id = encodeId('line_items', line?.id ?? 0)
    const data = { type: 'line_items', id, attributes: { quantity: 3 } }
    return sendAs(shop.tokens.adminToken, 'PATCH', `/api/line_items/${id}`, data)
  }
  const outcomes = await race(orders, by('_place'), grow)
  expect(outcomes.map(([placed]) => placed)).toEqual(orders.map(() => 'done'))
  const page = await read()
  expectLaws(page)
  for (const { id, total_amount_with_taxes_cents: due } of page.books.orders)
    expect(moneyOf(page.books, id).open).toBe(due)
})

const MOVES = [
  '_place',
  '_place',
  '_approve',
  '_approve_and_capture',
  '_capture',
  '_cancel',
  '_refund',
  '_start_editing',
  '_stop_editing',
  '_fulfill',
] as const

const SEED = modelSeed()

test.each(['split_shipments', 'ship_from_primary', 'split_by_line_items'])(
  'with %s, whatever is sent to 24 orders of two SKUs by two processes while stock and prices change, the laws hold',
  async (strategy) => {
    await shop.usesStrategy(strategy)
    const skus = [shop.nextSku(), shop.nextSku()]
    for (const sku of skus) await shop.setStock(sku, [5, 7, 9])
    const purchases = await shop.payable(24, (buyer) =>
      (buyer % 2 === 0 ? skus : skus.toReversed()).map((sku, at) => ({
        sku: encodeId('skus', sku),
        quantity: 1 + ((buyer + at) % 3),
      })),
    )
    const orders = purchases.map((purchase) => purchase.order())
    const read = openBooks(pool, { orders: orders.map(numberOf), skus })
    const { books } = await read()
    const { adminToken } = shop.tokens
    const merchant = startMerchant([
      (turn) => {
        const { id = 0 } = books.stock_items[turn % books.stock_items.length] ?? {}
        return shop.frontOf(turn).send(changeStock(adminToken, encodeId('stock_items', id), 3 + (turn % 14)))
      },
      (turn) => {
        const { id = 0 } = books.prices[turn % books.prices.length] ?? {}
        return shop.frontOf(turn).send(changePrice(adminToken, encodeId('prices', id), 900 + turn))
      },
    ])
    const scripts = fc.sample(fc.array(fc.constantFrom(...MOVES), { minLength: 8, maxLength: 8 }), {
      numRuns: orders.length * 2,
      seed: SEED,
    })
    const answers = await Promise.all(
      scripts.map(async (script, buyer) => {
        const statuses: number[] = []
        for (const [turn, trigger] of script.entries())
          statuses.push((await start(buyer + turn, orders[buyer % orders.length] ?? '', trigger)).status)
        return statuses
      }),
    )
    expect(new Set(await merchant.stop())).toEqual(new Set([200]))
    expect(answers.flat().filter((status) => status !== 200 && status !== 422)).toEqual([])
    expect(answers.flat()).toContain(200)
    const page = await read()
    // A merchant may count less than is promised.
    const broken = brokenLaws(page.books, new Set()).filter((text) => !text.startsWith('of stock item'))
    expect([...broken, ...brokenEvents(page)]).toEqual([])
    for (const sku of skus) expect(await overpromised(shop.database, sku)).toEqual([])
  },
  60_000,
)
