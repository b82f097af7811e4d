/**
 * Buyers with one gift card, over two processes of core: together they take what is on it and no more, each amount is taken and given
 * back once, and a card that is in many carts is bought once (docs/adr/0113).
 */
import type { LoadRequest } from '@merx/load/exchange'
import { startOfOrder } from '../../../load/checkout-requests.ts'
import { linkTo, sendAs } from '../../../load/core-requests.ts'
import { encodeId } from '../../../load/load-ids.ts'
import { countsOf, openTwoCores, outcomeOf } from '../support/two-cores.ts'
import type { TwoCores } from '../support/two-cores.ts'

let shop: TwoCores

beforeAll(async () => {
  shop = await openTwoCores('gift_card_races')
})
afterAll(() => shop.close())

const send = async (turn: number, request: LoadRequest) => shop.frontOf(turn).send(request)

const write = async (
  method: 'POST' | 'PATCH',
  path: string,
  data: object,
): Promise<Record<string, unknown>> => {
  const answer = await send(0, sendAs(shop.tokens.adminToken, method, path, data))
  if (answer.status > 299) throw new Error(answer.body)
  return (JSON.parse(answer.body ?? '') as { readonly data: Record<string, unknown> }).data
}

const makeCard = async (code: string, attributes: object): Promise<string> => {
  const currency = await shop.database.query<{ currency_code: string }>(
    'SELECT currency_code FROM orders LIMIT 1',
    [],
  )
  const data = await write('POST', '/api/gift_cards', {
    type: 'gift_cards',
    attributes: { code, currency_code: currency[0]?.currency_code ?? 'EUR', ...attributes },
  })
  return String(data['id'])
}

const activate = async (id: string): Promise<void> => {
  await write('PATCH', `/api/gift_cards/${id}`, {
    type: 'gift_cards',
    id,
    attributes: { _purchase: true, _activate: true },
  })
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

/** What is left, what was taken by whom, and what placed orders say that they took. */
const cardOf = async (code: string) => {
  const [found] = await shop.database.query<Record<string, unknown>>(
    `SELECT status, balance_cents::int AS balance,
      (SELECT coalesce(sum(amount_cents), 0)::int FROM gift_card_uses WHERE gift_card_id = cards.id) AS taken,
      (SELECT count(*)::int FROM gift_card_uses WHERE gift_card_id = cards.id) AS orders,
      (SELECT coalesce(-sum(gift_card_amount_cents), 0)::int FROM orders
        WHERE gift_card_code = cards.code AND status = 'placed') AS shown
    FROM gift_cards AS cards WHERE code = $1`,
    [code],
  )
  return found
}

const REFUSALS = ['invalid_gift_card', 'used_up']

test('200 buyers of one card take what is on it, and no more', async () => {
  const orders = await buyers(200)
  await activate(await makeCard('ONEFORALL', { balance_cents: 1_000 }))
  expect(countsOf(await change(orders, { gift_card_code: 'ONEFORALL' }))).toEqual({ done: 200 })
  // Each takes 300 of the card, so that three fit and the rest cannot.
  await shop.database.query(`UPDATE gift_cards SET balance_cents = 300 WHERE code = 'ONEFORALL'`, [])
  await change(orders, { _refresh: true })
  await shop.database.query(`UPDATE gift_cards SET balance_cents = 1000 WHERE code = 'ONEFORALL'`, [])
  const { done, ...refused } = countsOf(await start(orders, '_place'))
  expect(done).toBe(3)
  expect(Object.keys(refused).every((reason) => REFUSALS.includes(reason))).toBe(true)
  expect(await cardOf('ONEFORALL')).toEqual({
    status: 'active',
    balance: 100,
    taken: 900,
    orders: 3,
    shown: 900,
  })
}, 480_000)

test('a card for one use is used by one of forty', async () => {
  const orders = await buyers(40)
  await activate(await makeCard('JUSTONCE', { balance_cents: 500_000, single_use: true }))
  await change(orders, { gift_card_code: 'JUSTONCE' })
  expect(countsOf(await start(orders, '_place'))['done']).toBe(1)
  expect(await cardOf('JUSTONCE')).toMatchObject({ status: 'redeemed', orders: 1 })
}, 240_000)

test('placed, cancelled and recharged at once, every amount is counted once', async () => {
  const orders = await buyers(40)
  const card = await makeCard('MANYTIMES', { balance_cents: 10 })
  await activate(card)
  await change(orders, { gift_card_code: 'MANYTIMES' })
  const recharge = (cents: number) =>
    write('PATCH', `/api/gift_cards/${card}`, {
      type: 'gift_cards',
      id: card,
      attributes: { _balance_change_cents: cents },
    })
  await recharge(390)
  const [first, second] = [orders.slice(0, 20), orders.slice(20)]
  expect(countsOf(await start(first, '_place'))).toEqual({ done: 20 })
  const [cancelled, placed] = await Promise.all([
    start([...first, ...first], '_cancel'),
    start(second, '_place'),
    ...Array.from({ length: 10 }, () => recharge(1)),
  ])
  expect(countsOf([...cancelled, ...placed])).toEqual({ done: 60 })
  expect(await cardOf('MANYTIMES')).toEqual({
    status: 'active',
    balance: 210,
    taken: 200,
    orders: 20,
    shown: 200,
  })
}, 240_000)

test('a draft that is in twenty carts is bought by one of them', async () => {
  const orders = await buyers(20)
  const card = await makeCard('BOUGHTONCE', { balance_cents: 700 })
  for (const order of orders)
    await write('POST', '/api/line_items', {
      type: 'line_items',
      attributes: { quantity: 1 },
      relationships: { order: linkTo('orders', order), item: linkTo('gift_cards', card) },
    })
  const outcomes = countsOf(await start(orders, '_place'))
  expect(outcomes).toEqual({ done: 1, invalid_gift_card: 19 })
  expect(await cardOf('BOUGHTONCE')).toMatchObject({ status: 'active', balance: 700 })
}, 240_000)
