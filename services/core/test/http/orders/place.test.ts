/** An order from the cart to its money and goods, and back: `_place`, `_approve`, `_capture`, `_refund`, `_cancel`, `_fulfill`. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import {
  ADDRESSES,
  at,
  checkoutCalls,
  orderCalls,
  statusesOf,
  WITH_SHIPPING,
} from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('place_orders')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { changeOrder, orderOf, setOrder } = orderCalls(() => core)
const { cart, payable, send } = checkoutCalls(() => core)

/** As a request reads it afterwards, which must be what the last answer said. */
const move = async (order: string, ...triggers: readonly string[]) => {
  let statuses: readonly unknown[] = []
  for (const trigger of triggers) statuses = statusesOf(await send(order, trigger))
  expect(statusesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))).toEqual(statuses)
  return statuses
}

const relatedOf = async (order: string, name: string, attribute: string) =>
  listOf(await core.get(`/api/orders/${order}/${name}`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes[attribute],
  )

const shipmentsOf = (order: string) => relatedOf(order, 'shipments', 'status')

const transactionsOf = async (order: string) => {
  const { rows } = await core.pool.query<{ type: string; cents: number }>(
    'SELECT type, amount_cents::int AS cents FROM transactions WHERE order_id = $1 ORDER BY id',
    [decodeId('orders', order)],
  )
  return rows.map(({ type, cents }) => [type, cents])
}

/** Of SKU-A in Milano: what is there, and what of it is promised. */
const stock = async () => {
  const { rows } = await core.pool.query<Record<string, unknown>>(
    `SELECT quantity::int, (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations WHERE environment_id = 1) AS reservations,
      (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks WHERE environment_id = 1) AS reserved
      FROM stock_items WHERE id = 1`,
  )
  return Object.values(rows[0] ?? {})
}

const WHOLE = 10_700
const PLACED = ['placed', 'authorized', 'unfulfilled']

test('an order is placed, approved, captured and refunded', async () => {
  const order = await payable()
  expect(await stock()).toEqual([7, 0, 0])
  expect(await move(order, '_place')).toEqual(PLACED)
  expect(await stock()).toEqual([7, 2, 2])
  expect(await shipmentsOf(order)).toEqual(['upcoming'])
  expect(await orderOf(order)).toMatchObject({
    place_total_amount_cents: WHOLE,
    customer_type: 'new',
    editable: false,
  })
  expect(await move(order, '_approve')).toEqual(['approved', 'authorized', 'unfulfilled'])
  expect(await stock()).toEqual([5, 0, 0])
  expect(await move(order, '_capture')).toEqual(['approved', 'paid', 'in_progress'])
  expect(await shipmentsOf(order)).toEqual(['picking'])
  expect(await move(order, '_refund')).toEqual(['cancelled', 'refunded', 'unfulfilled'])
  expect(await stock()).toEqual([7, 0, 0])
  expect(await shipmentsOf(order)).toEqual(['cancelled'])
  expect(await transactionsOf(order)).toEqual([
    ['authorizations', WHOLE],
    ['captures', WHOLE],
    ['refunds', WHOLE],
  ])
  expect(await relatedOf(order, 'events?page[size]=25', 'name')).toEqual(
    expect.arrayContaining([
      'orders.place',
      'orders.authorize',
      'orders.approve',
      'orders.pay',
      'orders.start_fulfilling',
      'orders.refund',
      'orders.cancel',
      'orders.cancel_fulfilling',
    ]),
  )
})

test('a repeated trigger succeeds and moves nothing', async () => {
  const order = await payable()
  await move(order, '_place', '_place')
  expect(await stock()).toEqual([7, 2, 2])
  await move(order, '_approve', '_approve', '_capture', '_capture')
  expect(await stock()).toEqual([5, 0, 0])
  await move(order, '_refund', '_refund')
  expect(await stock()).toEqual([7, 0, 0])
  expect(await transactionsOf(order)).toHaveLength(3)
  const { rows } = await core.pool.query(
    'SELECT total_orders_count::int AS count FROM customers WHERE id = 1',
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('no more is captured than the order costs', async () => {
  const order = await payable()
  await move(order, '_place', '_approve')
  await setOrder(order, 'total_amount_with_taxes_cents = 10000')
  expect(await move(order, '_capture')).toEqual(['approved', 'paid', 'in_progress'])
  expect(await transactionsOf(order)).toContainEqual(['captures', 10_000])
})

test('an order that is approved and captured at once is fulfilled', async () => {
  const order = await payable()
  expect(await move(order, '_place', '_approve_and_capture')).toEqual(['approved', 'paid', 'in_progress'])
  expect(await move(order, '_fulfill')).toEqual(['approved', 'paid', 'fulfilled'])
  expect(await shipmentsOf(order)).toEqual(['shipped'])
  expect(at(await send(order, '_cancel'))).toEqual([['422', '/data/attributes/_cancel', 'not_cancellable']])
})

describe('an order is cancelled', () => {
  it('as a cart', async () => {
    expect(await move(await cart('SKU-A', 1), '_cancel')).toEqual(['cancelled', 'unpaid', 'unfulfilled'])
  })

  it.each([[['_place']], [['_place', '_approve']]])(
    'after %s, with its money and its stock',
    async (before) => {
      const order = await payable()
      await move(order, ...before)
      expect(await move(order, '_cancel', '_cancel')).toEqual(['cancelled', 'voided', 'unfulfilled'])
      expect(await stock()).toEqual([7, 0, 0])
      expect(await shipmentsOf(order)).toEqual(['cancelled'])
      expect(await transactionsOf(order)).toEqual([
        ['authorizations', WHOLE],
        ['voids', WHOLE],
      ])
    },
  )
})

test('an order that costs nothing needs no payment', async () => {
  await core.pool.query(`UPDATE prices SET amount_cents = 0 WHERE id = 1;
    UPDATE shipping_methods SET price_amount_cents = 0 WHERE id = 1`)
  const order = await cart('SKU-A', 1)
  await changeOrder(order, {}, ADDRESSES)
  expect(await move(order, '_place')).toEqual(['placed', 'free', 'unfulfilled'])
  expect(await move(order, '_approve')).toEqual(['approved', 'free', 'in_progress'])
  expect(await transactionsOf(order)).toEqual([])
})

test('what has to be transferred first is reserved where it is', async () => {
  await core.pool.query(`UPDATE inventory_models SET strategy = 'ship_from_primary' WHERE id = 1`)
  const order = await payable('SKU-B', 2)
  const reserved = async () => {
    const { rows } = await core.pool.query<Record<string, unknown>>(
      `SELECT stock_item_id::int AS item, quantity, stock_transfer_id IS NOT NULL AS moves FROM stock_reservations
        WHERE environment_id = 1`,
    )
    return rows
  }
  await move(order, '_place')
  expect(await reserved()).toEqual([{ item: 2, quantity: 2, moves: true }])
  expect(await relatedOf(order, 'stock_transfers', 'status')).toEqual(['upcoming'])
  await move(order, '_cancel')
  expect(await reserved()).toEqual([])
  expect(await relatedOf(order, 'stock_transfers', 'status')).toEqual(['cancelled'])
})

describe('an order that cannot be placed', () => {
  it('says everything that is missing, and stays a cart', async () => {
    await core.pool.query('UPDATE payment_methods SET disabled_at = now() WHERE environment_id = 1')
    const order = await cart('SKU-A', 3)
    await core.pool.query('UPDATE stock_items SET quantity = 1 WHERE id = 1')
    expect(at(await send(order, '_place'))).toEqual([
      ['422', '/data/relationships/line_items', 'out_of_stock'],
      ['422', '/data/relationships/billing_address', 'blank'],
      ['422', '/data/relationships/shipping_address', 'blank'],
      ['422', '/data/relationships/payment_method', 'blank'],
    ])
    expect((await orderOf(order))['status']).toBe('pending')
    expect(await stock()).toEqual([1, 0, 0])
  })

  it('is changed first, in a request of its own', async () => {
    const order = await payable()
    const response = await changeOrder(order, { _place: true, _approve: true, _refresh: true })
    expect(at(response)).toEqual([
      ['422', '/data/attributes/_approve', 'invalid'],
      ['422', '/data/attributes/_refresh', 'invalid'],
    ])
  })
})

test.each(['_capture', '_refund'])('%s waits for the approval', async (trigger) => {
  const order = await payable()
  await move(order, '_place')
  expect(at(await send(order, trigger))).toEqual([['422', `/data/attributes/${trigger}`, 'invalid_status']])
})

test('an order that is not paid for is not approved', async () => {
  const order = await payable()
  expect(at(await send(order, '_approve'))).toMatchObject([['422', expect.anything(), 'invalid_transition']])
})

test('of two orders of the last piece one is placed', async () => {
  const orders = [await payable('SKU-A', 7), await payable('SKU-A', 7)]
  const answers = await Promise.all(orders.map((order) => send(order, '_place')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect(await stock()).toEqual([7, 7, 7])
})

test('a shop front places its cart, and moves nothing after', async () => {
  const token = await core.tokens.mint(customer(1, [1]))
  const order = await payable()
  for (const trigger of ['_approve', '_approve_and_capture', '_capture', '_refund', '_fulfill'])
    expect([trigger, (await send(order, trigger, token)).status]).toEqual([trigger, 400])
  expect(statusesOf(await send(order, '_place', token))).toEqual(PLACED)
  for (const trigger of ['_place', '_cancel']) expect((await send(order, trigger, token)).status).toBe(401)
})
