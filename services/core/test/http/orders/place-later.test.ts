/** Orders with `place_async` are placed by a job; what stands against it becomes their resource_errors. `_pending` begins again. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, checkoutCalls, orderCalls, statusesOf, WITH_SHIPPING } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('place_later')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(`DELETE FROM jobs.job; ${WITH_SHIPPING}`)
})
afterAll(() => core.close())

const { draft, add, orderOf } = orderCalls(() => core)
const { send, payable, cart, move } = checkoutCalls(() => core)

const later = (quantity = 2) => payable('SKU-A', quantity, { place_async: true })

const read = async (order: string) => statusesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))

const errorsOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/resource_errors`, core.tokens.admin)).data.map(
    ({ attributes }) => [attributes['name'], attributes['code']],
  )

const PLACING = ['placing', 'unpaid', 'unfulfilled']
const PLACED = ['placed', 'authorized', 'unfulfilled']

test('an order is placed after the answer, once', async () => {
  const order = await later()
  expect(await move(order, '_place', '_place')).toEqual(PLACING)
  await core.jobs.runUntilIdle()
  expect(await read(order)).toEqual(PLACED)
  await core.jobs.runUntilIdle()
  expect(await move(order, '_place')).toEqual(PLACED)
  const { rows } = await core.pool.query(
    `SELECT (SELECT count(*)::int FROM transactions) AS transactions,
      (SELECT sum(quantity)::int FROM stock_reservations WHERE environment_id = 1) AS reserved`,
  )
  expect(rows).toEqual([{ transactions: 1, reserved: 2 }])
  expect(
    listOf(await core.get(`/api/orders/${order}/events?page[size]=25`, core.tokens.admin)).data.map(
      ({ attributes }) => attributes['name'],
    ),
  ).toEqual(expect.arrayContaining(['orders.placing', 'orders.place']))
})

test('what is missing is reported at once, and the order stays a cart', async () => {
  const order = await cart('SKU-A', 1, { place_async: true })
  expect(at(await send(order, '_place'))).toContainEqual([
    '422',
    '/data/relationships/billing_address',
    'blank',
  ])
  expect((await read(order))[0]).toBe('pending')
})

describe('an order that cannot be placed later', () => {
  const failed = async (): Promise<string> => {
    const order = await later(5)
    await move(order, '_place')
    await core.pool.query('UPDATE stock_items SET quantity = 3 WHERE id = 1')
    await core.jobs.runUntilIdle()
    return order
  }

  it('stays placing, with the reasons and without money or stock', async () => {
    const order = await failed()
    expect(await read(order)).toEqual(PLACING)
    expect(await errorsOf(order)).toEqual([['line_items', 'out_of_stock']])
    expect((await orderOf(order))['errors_count']).toBe(1)
    const { rows } = await core.pool.query(
      `SELECT (SELECT count(*)::int FROM transactions) AS transactions,
        (SELECT count(*)::int FROM stock_reservations WHERE environment_id = 1) AS reservations,
        (SELECT total_orders_count::int FROM customers WHERE id = 1) AS orders`,
    )
    expect(rows).toEqual([{ transactions: 0, reservations: 0, orders: 0 }])
  })

  it('is a cart again with _pending, and is placed when it can be', async () => {
    const order = await failed()
    expect(await move(order, '_pending', '_pending')).toEqual(['pending', 'unpaid', 'unfulfilled'])
    expect(await errorsOf(order)).toEqual([])
    expect((await orderOf(order))['errors_count']).toBe(0)
    await core.pool.query('UPDATE stock_items SET quantity = 7 WHERE id = 1')
    await move(order, '_place')
    await core.jobs.runUntilIdle()
    expect(await read(order)).toEqual(PLACED)
  })

  it('is not placed when it is a cart again before the job runs', async () => {
    const order = await later()
    await move(order, '_place', '_pending')
    await core.jobs.runUntilIdle()
    expect((await read(order))[0]).toBe('pending')
  })
})

test('a shop front sees its order while it is placed', async () => {
  const token = await core.tokens.mint(customer(1, [1]))
  const order = await later()
  expect(statusesOf(await send(order, '_place', token))).toEqual(PLACING)
  expect(statusesOf(await core.get(`/api/orders/${order}`, token))).toEqual(PLACING)
  expect((await send(order, '_pending', token)).status).toBe(401)
  await core.jobs.runUntilIdle()
  expect(statusesOf(await core.get(`/api/orders/${order}`, token))).toEqual(PLACED)
})

describe('_pending', () => {
  it('of a draft says what it lacks', async () => {
    expect(at(await send(await draft(), '_pending'))).toEqual([
      ['422', '/data/attributes/customer_email', 'blank'],
      ['422', '/data/relationships/line_items', 'blank'],
    ])
  })

  it('of a draft that has both is its status', async () => {
    const order = await cart('SKU-A', 1)
    await core.pool.query(`UPDATE orders SET status = 'draft' WHERE id = $1`, [decodeId('orders', order)])
    expect((await move(order, '_pending'))[0]).toBe('pending')
  })

  it('of a placed order is refused', async () => {
    const order = await payable()
    await move(order, '_place')
    expect(at(await send(order, '_pending'))).toEqual([
      ['422', '/data/attributes/status', 'invalid_transition'],
    ])
  })
})

test('_place of a draft says everything that it lacks', async () => {
  const order = await draft()
  singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
  const token = await core.tokens.mint(salesChannel([1]))
  expect(at(await send(order, '_place'))).toEqual([
    ['422', '/data/attributes/status', 'invalid_transition'],
    ['422', '/data/attributes/customer_email', 'blank'],
    ['422', '/data/relationships/billing_address', 'blank'],
    ['422', '/data/relationships/shipping_address', 'blank'],
    ['422', '/data/relationships/payment_method', 'blank'],
  ])
  expect((await send(order, '_start_editing', token)).status).toBe(400)
})
