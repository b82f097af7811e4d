/**
 * Buyers with one coupon, over two processes of core: as many are placed as it may be used, each use is counted once, and
 * promotions that many orders share are counted exactly (docs/adr/0111).
 */
import type { LoadRequest } from '@merx/load/exchange'
import { startOfOrder } from '../../../load/checkout-requests.ts'
import { linkTo, sendAs } from '../../../load/core-requests.ts'
import { encodeId } from '../../../load/load-ids.ts'
import { countsOf, openTwoCores, outcomeOf } from '../support/two-cores.ts'
import type { TwoCores } from '../support/two-cores.ts'

const BUYERS = 500
const DATES = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }

let shop: TwoCores

beforeAll(async () => {
  shop = await openTwoCores('coupon_races')
})
afterEach(() => shop.database.query('UPDATE promotions SET disabled_at = now()', []))
afterAll(() => shop.close())

const send = async (turn: number, request: LoadRequest) => shop.frontOf(turn).send(request)

const make = async (type: string, attributes: object, relationships: object = {}): Promise<string> => {
  const answer = await send(
    0,
    sendAs(shop.tokens.adminToken, 'POST', `/api/${type}`, { type, attributes, relationships }),
  )
  if (answer.status !== 201) throw new Error(answer.body)
  return (JSON.parse(answer.body ?? '') as { readonly data: { readonly id: string } }).data.id
}

const makeCoupon = async (code: string, coupon: object): Promise<void> => {
  const type = 'percentage_discount_promotions'
  const promotion = await make(type, { name: code, percentage: 10, ...DATES })
  const rule = await make('coupon_codes_promotion_rules', {}, { promotion: linkTo(type, promotion) })
  await make('coupons', { code, ...coupon }, { promotion_rule: linkTo('coupon_codes_promotion_rules', rule) })
}

/** So many buyers up to `_place`, each of one piece that there is enough of. */
const buyers = async (count: number): Promise<readonly string[]> => {
  const sku = shop.nextSku()
  await shop.setStock(sku, [10_000])
  const goods = [{ sku: encodeId('skus', sku), quantity: 1 }]
  return (await shop.payable(count, () => goods)).map((purchase) => purchase.order())
}

const change = (orders: readonly string[], attributes: object) =>
  Promise.all(
    orders.map(async (id, turn) =>
      outcomeOf(
        await send(
          turn,
          sendAs(shop.tokens.adminToken, 'PATCH', `/api/orders/${id}`, { type: 'orders', id, attributes }),
        ),
      ),
    ),
  )

const start = (orders: readonly string[], trigger: string) =>
  Promise.all(
    orders.map(async (id, turn) =>
      outcomeOf(await send(turn, startOfOrder(shop.tokens.adminToken, id, trigger))),
    ),
  )

const uses = async (code: string) => {
  const [counted] = await shop.database.query<Record<string, number>>(
    `SELECT coupons.usage_count AS coupon, promotions.total_usage_count AS promotion,
      (SELECT count(*)::int FROM promotion_uses WHERE coupon_id = coupons.id) AS rows,
      (SELECT count(*)::int FROM orders WHERE coupon_code = coupons.code AND status = 'placed') AS placed
    FROM coupons JOIN promotion_rules AS rules ON rules.id = promotion_rule_id JOIN promotions ON promotions.id = promotion_id
    WHERE coupons.code = $1`,
    [code],
  )
  return counted
}

test(`of ${BUYERS} buyers with a coupon for one use exactly one is placed with it`, async () => {
  await makeCoupon('ONLYONCE', { usage_limit: 1 })
  const orders = await buyers(BUYERS)
  expect(countsOf(await change(orders, { coupon_code: 'ONLYONCE' }))).toEqual({ done: BUYERS })
  const outcomes = countsOf(await start(orders, '_place'))
  const { done, ...refused } = outcomes
  expect(done).toBe(1)
  // Whoever waited for the lock, and whoever came after.
  expect(Object.keys(refused).every((reason) => ['invalid_coupon', 'usage_limit'].includes(reason))).toBe(
    true,
  )
  expect(await uses('ONLYONCE')).toEqual({ coupon: 1, promotion: 1, rows: 1, placed: 1 })
}, 480_000)

test('of one customer with twenty carts one is placed with a coupon once per customer', async () => {
  await makeCoupon('ONCEEACH', { customer_single_use: true })
  const orders = await buyers(20)
  await change(orders, { customer_email: 'one@example.com' })
  expect(countsOf(await change(orders, { coupon_code: 'ONCEEACH' }))).toEqual({ done: 20 })
  expect(countsOf(await start(orders, '_place'))['done']).toBe(1)
  expect(await uses('ONCEEACH')).toEqual({ coupon: 1, promotion: 1, rows: 1, placed: 1 })
}, 120_000)

test('placed and cancelled at once, every use is counted and given back exactly', async () => {
  await makeCoupon('FORMANYX', {})
  const orders = await buyers(60)
  await change(orders, { coupon_code: 'FORMANYX' })
  expect(countsOf(await start(orders, '_place'))).toEqual({ done: 60 })
  expect(await uses('FORMANYX')).toEqual({ coupon: 60, promotion: 60, rows: 60, placed: 60 })
  expect(countsOf(await start([...orders.slice(0, 40), ...orders.slice(0, 40)], '_cancel'))).toEqual({
    done: 80,
  })
  expect(await uses('FORMANYX')).toEqual({ coupon: 20, promotion: 20, rows: 20, placed: 20 })
}, 120_000)

test('orders of the same goods and promotions are placed and cancelled at once, and nobody waits in a circle', async () => {
  await makeCoupon('SHAREDXX', {})
  for (const percentage of [1, 2, 3])
    await make('percentage_discount_promotions', { name: `P${percentage}`, percentage, ...DATES })
  const orders = await buyers(60)
  await change(orders, { coupon_code: 'SHAREDXX' })
  const [first, second] = [orders.slice(0, 30), orders.slice(30)]
  expect(countsOf(await start(first, '_place'))).toEqual({ done: 30 })
  const [cancelled, placed] = await Promise.all([start(first, '_cancel'), start(second, '_place')])
  expect(countsOf([...cancelled, ...placed])).toEqual({ done: 60 })
  expect(await uses('SHAREDXX')).toEqual({ coupon: 30, promotion: 30, rows: 30, placed: 30 })
  const wrong = await shop.database.query(
    `SELECT id FROM promotions WHERE total_usage_count <> (
      SELECT count(*) FROM promotion_uses WHERE promotion_id = promotions.id)`,
    [],
  )
  expect(wrong).toEqual([])
}, 120_000)
