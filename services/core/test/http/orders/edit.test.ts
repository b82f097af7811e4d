/** Placed orders are edited below what they cost, with `_start_editing` and `_stop_editing`. */
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, checkoutCalls, orderCalls, WITH_SHIPPING } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('edit_orders')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { add, change, remove, orderOf } = orderCalls(() => core)
const { send, payable, move } = checkoutCalls(() => core)

const linesOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)).data.filter(
    ({ attributes }) => attributes['item_type'] === 'skus',
  )

const lineOf = async (order: string): Promise<string> => {
  const [line] = await linesOf(order)
  return line?.id ?? ''
}

const setQuantity = async (order: string, quantity: number) =>
  singleOf(await change(core.tokens.admin, await lineOf(order), { quantity }))

/** Units that are reserved, by stock item and by whether they are of a transfer. */
const reserved = async () => {
  const { rows } = await core.pool.query<Record<string, unknown>>(
    `SELECT stock_item_id::int AS item, sum(quantity)::int AS quantity, bool_or(stock_transfer_id IS NOT NULL) AS moves,
      (SELECT sum(quantity)::int FROM reserved_stocks WHERE stock_item_id = stock_reservations.stock_item_id) AS counted
    FROM stock_reservations WHERE environment_id = 1 GROUP BY stock_item_id ORDER BY 1`,
  )
  return rows.map((row) => Object.values(row))
}

const eventsOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/events?page[size]=25`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes['name'],
  )

test('an order that is edited keeps its payment, and has the stock that it needs afterwards', async () => {
  const order = await payable('SKU-A', 3)
  await move(order, '_place')
  expect(await move(order, '_start_editing', '_start_editing')).toEqual([
    'editing',
    'authorized',
    'unfulfilled',
  ])
  expect(await orderOf(order)).toMatchObject({ editable: true, place_total_amount_cents: 15_700 })
  await setQuantity(order, 1)
  expect(await move(order, '_stop_editing', '_stop_editing')).toEqual(['placed', 'authorized', 'unfulfilled'])
  expect(await orderOf(order)).toMatchObject({
    editable: false,
    place_total_amount_cents: 15_700,
    total_amount_with_taxes_cents: 5_700,
  })
  expect(await reserved()).toEqual([[1, 1, false, 1]])
  expect(await eventsOf(order)).toEqual(
    expect.arrayContaining(['orders.start_editing', 'orders.rebuild_shipments', 'orders.stop_editing']),
  )
  expect(await move(order, '_approve_and_capture')).toEqual(['approved', 'paid', 'in_progress'])
  expect(
    await core.pool.query(`SELECT amount_cents::int AS cents FROM transactions ORDER BY id`),
  ).toMatchObject({
    rows: [{ cents: 15_700 }, { cents: 5_700 }],
  })
})

test('another article takes the place of the first', async () => {
  const order = await payable('SKU-A', 2)
  await move(order, '_place', '_start_editing')
  const line = await lineOf(order)
  expect((await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 2 })).status).toBe(201)
  expect((await remove(core.tokens.admin, line)).status).toBe(204)
  await move(order, '_stop_editing')
  expect(await reserved()).toEqual([[2, 2, false, 2]])
  expect((await orderOf(order))['shipments_count']).toBe(1)
})

test('what it has stays reserved where it is while another place is planned for it, and nobody else gets it', async () => {
  await core.pool.query(`UPDATE stock_items SET quantity = 0 WHERE id = 1;
    INSERT INTO stock_items (id, environment_id, sku_id, sku_code, stock_location_id, quantity) VALUES (90, 1, 1, 'SKU-A', 2, 1)`)
  const order = await payable('SKU-A', 1)
  await move(order, '_place', '_start_editing')
  await core.pool.query('UPDATE stock_items SET quantity = 1 WHERE id = 1')
  await send(order, '_refresh')
  expect(await reserved()).toEqual([[90, 1, false, 1]])
  await move(await payable('SKU-A', 1), '_place')
  await expect(payable('SKU-A', 1)).rejects.toThrow('out_of_stock')
  expect(await move(order, '_stop_editing')).toEqual(['placed', 'authorized', 'unfulfilled'])
  expect(await reserved()).toEqual([
    [1, 1, false, 1],
    [90, 1, false, 1],
  ])
})

test('what is transferred for it is reserved once, in the quantity that it has', async () => {
  await core.pool.query(`UPDATE inventory_models SET strategy = 'ship_from_primary' WHERE id = 1`)
  const order = await payable('SKU-B', 2)
  await move(order, '_place', '_start_editing', '_stop_editing')
  expect(await reserved()).toEqual([[2, 2, true, 2]])
  await move(order, '_start_editing')
  await setQuantity(order, 1)
  await move(order, '_stop_editing')
  expect(await reserved()).toEqual([[2, 1, true, 1]])
  await move(order, '_cancel')
  expect(await reserved()).toEqual([])
})

test('an order that is edited is cancelled with its money and stock', async () => {
  const order = await payable()
  await move(order, '_place', '_start_editing')
  expect(await move(order, '_cancel')).toEqual(['cancelled', 'voided', 'unfulfilled'])
  expect(await reserved()).toEqual([])
})

describe('editing does not stop', () => {
  it('above what the order cost', async () => {
    const order = await payable()
    await move(order, '_place', '_start_editing')
    await setQuantity(order, 3)
    expect(at(await send(order, '_stop_editing'))).toEqual([
      ['422', '/data/attributes/total_amount_with_taxes_cents', 'less_than_or_equal_to'],
    ])
    expect((await orderOf(order))['status']).toBe('editing')
  })

  it('without anything to sell', async () => {
    const order = await payable()
    await move(order, '_place', '_start_editing')
    expect((await remove(core.tokens.admin, await lineOf(order))).status).toBe(204)
    expect(at(await send(order, '_stop_editing'))).toEqual([
      ['422', '/data/relationships/line_items', 'blank'],
    ])
  })

  it('while a shipment has no method', async () => {
    const order = await payable()
    await move(order, '_place', '_start_editing')
    await core.pool.query('UPDATE shipping_methods SET disabled_at = now() WHERE id = 1')
    await setQuantity(order, 1)
    expect(at(await send(order, '_stop_editing'))).toEqual([
      ['422', '/data/relationships/shipments', 'blank'],
    ])
  })

  it('when what it has more of was taken meanwhile', async () => {
    const order = await payable('SKU-A', 4)
    await move(order, '_place', '_start_editing')
    await setQuantity(order, 2)
    await move(await payable('SKU-A', 5), '_place')
    expect(at(await change(core.tokens.admin, await lineOf(order), { quantity: 4 }))).toEqual([
      ['422', '/data/attributes/quantity', 'out_of_stock'],
    ])
    expect(await reserved()).toEqual([[1, 7, false, 7]])
    await move(order, '_stop_editing')
    expect(await reserved()).toEqual([[1, 7, false, 7]])
  })
})

test.each(['pending', 'approved'])('an order that is %s is not edited', async (status) => {
  const order = await payable()
  if (status === 'approved') await move(order, '_place', '_approve')
  for (const [trigger, to] of [
    ['_start_editing', 'editing'],
    ['_stop_editing', 'placed'],
  ] as const) {
    const response = await send(order, trigger)
    expect(at(response)).toEqual([['422', '/data/attributes/status', 'invalid_transition']])
    expect(response.text).toContain(`cannot transition from ${status} to ${to}`)
  }
})

test('the shipment that is deleted from a cart costs nothing any more', async () => {
  const order = await payable()
  expect((await orderOf(order))['total_amount_with_taxes_cents']).toBe(10_700)
  const [shipment] = listOf(await core.get(`/api/orders/${order}/shipments`, core.tokens.admin)).data
  const response = await core.send('DELETE', `/api/shipments/${shipment?.id ?? ''}`, core.tokens.admin)
  expect(response.status).toBe(204)
  expect(await orderOf(order)).toMatchObject({
    shipments_count: 0,
    shipping_amount_cents: 0,
    total_amount_with_taxes_cents: 10_000,
  })
})
