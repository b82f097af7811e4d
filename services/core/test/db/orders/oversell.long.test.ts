/** Buyers of the last pieces, over two processes of core: exactly as many are placed as there are pieces (docs/adr/0078). */
import type { LoadAnswer } from '@merx/load/exchange'
import { changePrice, changeStock, startOfOrder } from '../../../load/checkout-requests.ts'
import { encodeId } from '../../../load/load-ids.ts'
import type { Goods, Purchase } from '../../../load/purchase.ts'
import { countsOf, openTwoCores, outcomeOf, overpromised, startMerchant } from '../support/two-cores.ts'
import type { TwoCores } from '../support/two-cores.ts'

let shop: TwoCores

beforeAll(async () => {
  shop = await openTwoCores('oversell')
})
afterAll(() => shop.close())

const placeAll = (purchases: readonly Purchase[]): Promise<readonly LoadAnswer[]> =>
  Promise.all(purchases.map((purchase) => purchase.place()))

interface Books {
  readonly quantity: number
  readonly reserved: number
  readonly reservations: number
  /** Of placed orders. */
  readonly sold: number
}

const booksOf = async (sku: number): Promise<Books | undefined> => {
  const [books] = await shop.database.query<Books & Record<string, unknown>>(
    `SELECT (SELECT sum(quantity)::int FROM stock_items WHERE sku_id = $1 AND stock_location_id <= 3) AS quantity,
      (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks WHERE sku_id = $1) AS reserved,
      (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations WHERE sku_id = $1) AS reservations,
      (SELECT coalesce(sum(line_items.quantity), 0)::int FROM line_items JOIN orders ON orders.id = order_id
        WHERE sku_id = $1 AND orders.status = 'placed') AS sold`,
    [sku],
  )
  return books
}

/** Orders that hold money without goods, or goods without money. */
const unbalanced = () =>
  shop.database.query(
    `SELECT id, status, payment_status, held, reserved, wanted FROM (
      SELECT orders.id, orders.status, orders.payment_status,
        (SELECT coalesce(sum(capture_balance_cents), 0)::int FROM transactions
          WHERE order_id = orders.id AND type = 'authorizations') AS held,
        (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations
          WHERE line_item_id IN (SELECT id FROM line_items WHERE order_id = orders.id)) AS reserved,
        (SELECT coalesce(sum(quantity), 0)::int FROM line_items WHERE order_id = orders.id AND sku_id IS NOT NULL) AS wanted,
        total_amount_with_taxes_cents AS due
      FROM orders) AS books
    WHERE CASE status WHEN 'placed' THEN held <> due OR reserved <> wanted ELSE held + reserved <> 0 END`,
    [],
  )

test('of 200 buyers of 50 pieces exactly 50 are placed, and nobody else pays', async () => {
  const sku = shop.nextSku()
  await shop.setStock(sku, [50])
  const goods = [{ sku: encodeId('skus', sku), quantity: 1 }]
  const answers = await placeAll(await shop.payable(200, () => goods))
  expect(countsOf(answers.map(outcomeOf))).toEqual({ done: 50, out_of_stock: 150 })
  expect(await booksOf(sku)).toEqual({ quantity: 50, reserved: 50, reservations: 50, sold: 50 })
  expect(await unbalanced()).toEqual([])
})

test('of 40 buyers of one piece exactly one is placed', async () => {
  const sku = shop.nextSku()
  await shop.setStock(sku, [1])
  const goods = [{ sku: encodeId('skus', sku), quantity: 1 }]
  const answers = await placeAll(await shop.payable(40, () => goods))
  expect(countsOf(answers.map(outcomeOf))).toEqual({ done: 1, out_of_stock: 39 })
  expect(await booksOf(sku)).toEqual({ quantity: 1, reserved: 1, reservations: 1, sold: 1 })
  expect(await unbalanced()).toEqual([])
})

test.each(['split_shipments', 'ship_from_primary', 'ship_from_first_available_or_primary'])(
  'with %s the pieces of all three locations are sold, though the carts planned to take the first ones',
  async (strategy) => {
    await shop.usesStrategy(strategy)
    const sku = shop.nextSku()
    await shop.setStock(sku, [2, 3, 5])
    const goods = [{ sku: encodeId('skus', sku), quantity: 1 }]
    const answers = await placeAll(await shop.payable(20, () => goods))
    expect(countsOf(answers.map(outcomeOf))).toEqual({ done: 10, out_of_stock: 10 })
    expect(await booksOf(sku)).toEqual({ quantity: 10, reserved: 10, reservations: 10, sold: 10 })
    expect(await unbalanced()).toEqual([])
  },
  60_000,
)

test.each(['split_shipments', 'ship_from_primary', 'split_by_line_items'])(
  'with %s over three locations, while stock and prices change and orders are cancelled, no more is promised than there is',
  async (strategy) => {
    await shop.usesStrategy(strategy)
    const skus = [shop.nextSku(), shop.nextSku()]
    for (const sku of skus) await shop.setStock(sku, [6, 9, 15])
    const wanted = (buyer: number): readonly Goods[] =>
      (buyer % 2 === 0 ? skus : skus.toReversed()).map((sku, at) => ({
        sku: encodeId('skus', sku),
        quantity: 1 + ((buyer + at) % 3),
      }))
    const purchases = await shop.payable(45, wanted)
    const { adminToken } = shop.tokens
    const items = await shop.database.query<{ readonly id: number }>(
      'SELECT id FROM stock_items WHERE sku_id = ANY($1::bigint[]) AND stock_location_id <= 3 ORDER BY id',
      [skus],
    )
    const prices = await shop.database.query<{ readonly id: number }>(
      'SELECT id FROM prices WHERE sku_id = ANY($1::bigint[]) AND price_list_id = 1',
      [skus],
    )
    const placed: string[] = []
    const merchant = startMerchant([
      (turn) => {
        const item = items[turn % items.length]?.id ?? 0
        return shop
          .frontOf(turn)
          .send(changeStock(adminToken, encodeId('stock_items', item), 3 + (turn % 14)))
      },
      async (turn) => {
        const order = placed.shift()
        return order === undefined
          ? undefined
          : shop.frontOf(turn).send(startOfOrder(adminToken, order, '_cancel'))
      },
      (turn) => {
        const price = prices[turn % prices.length]?.id ?? 0
        return shop.frontOf(turn).send(changePrice(adminToken, encodeId('prices', price), 900 + turn))
      },
    ])
    const outcomes = await Promise.all(
      purchases.map(async (purchase, buyer) => {
        const outcome = outcomeOf(await purchase.place())
        if (outcome === 'done' && buyer % 3 === 0) placed.push(purchase.order())
        return outcome
      }),
    )
    const statuses = await merchant.stop()
    expect(Object.keys(countsOf(outcomes)).filter((outcome) => !ALLOWED.test(outcome))).toEqual([])
    expect(outcomes).toContain('done')
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const sku of skus) {
      const { reserved, reservations, sold } = (await booksOf(sku)) ?? {}
      expect([reserved, reservations]).toEqual([sold, sold])
      expect(await overpromised(shop.database, sku)).toEqual([])
    }
    expect(await unbalanced()).toEqual([])
  },
  60_000,
)

/** One violation for each SKU that there is not enough of; or what is left would need more shipments. */
const ALLOWED = /^(done|stock_moved|out_of_stock(,out_of_stock)?)$/
