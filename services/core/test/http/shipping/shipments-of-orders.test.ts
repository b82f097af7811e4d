/** The shipments that an order makes of its lines, what they cost, and how they follow its changes (docs/adr/0083). */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'
import { at, attributesOf, one, orderCalls } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('shipments_of_orders')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  // Post and Courier deliver anywhere, Abroad only to the US; Post is the default of the market.
  await core.pool.query(`
    INSERT INTO shipping_zones (id, environment_id, name, country_code_regex) VALUES (1, 1, 'US', '^US$');
    INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents, free_over_amount_cents,
      shipping_zone_id) VALUES
      (1, 1, 'Post', 'EUR', 700, NULL, NULL), (2, 1, 'Courier', 'EUR', 1500, 15000, NULL),
      (3, 1, 'Abroad', 'EUR', 2500, NULL, 1);
    UPDATE markets SET default_shipping_method_id = 1 WHERE id = 1 AND environment_id = 1`)
})
afterAll(() => core.close())

const { begin, draft, add, change, changeOrder, remove, orderOf, setOrder } = orderCalls(() => core)

/** A cart of a known customer. */
const pending = () => draft({ customer_email: 'ada@example.com' })

const include = 'include=stock_line_items,stock_transfers,shipping_method'

const shipmentsOf = async (order: string) => {
  const { data, included = [] } = listOf(
    await core.get(`/api/orders/${order}/shipments?${include}`, core.tokens.admin),
  )
  const all = (type: string) => included.filter((each) => each.type === type)
  return data.map(({ id, attributes }) => ({
    id,
    number: attributes['number'],
    units: all('stock_line_items')
      .concat(all('stock_transfers'))
      .map((each) => [each.attributes['sku_code'], each.attributes['quantity']]),
    skus: attributes['skus_count'],
  }))
}

const addSku = (order: string, code: string, quantity: number) =>
  add(core.tokens.admin, order, { sku_code: code, quantity })

const eventsOf = async (order: string): Promise<readonly unknown[]> =>
  listOf(await core.get(`/api/orders/${order}/events`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes['name'],
  )

const amounts = async (order: string) => {
  const attributes = await orderOf(order)
  return ['subtotal', 'shipping', 'total'].map((name) => attributes[`${name}_amount_cents`])
}

const choose = (shipment: string, method: number | null, token = core.tokens.admin) =>
  core.send('PATCH', `/api/shipments/${shipment}`, token, {
    data: {
      type: 'shipments',
      id: shipment,
      relationships: { shipping_method: method === null ? { data: null } : one('shipping_methods', method) },
    },
  })

test('a cart of nobody has no shipments; they come with its customer or its address, and go with its lines', async () => {
  const order = await draft()
  const line = singleOf(await addSku(order, 'SKU-A', 2)).data.id
  expect(await shipmentsOf(order)).toEqual([])
  await changeOrder(order, {}, { shipping_address: one('addresses', 1) })
  expect(await shipmentsOf(order)).toMatchObject([{ units: [['SKU-A', 2]], skus: 2 }])
  await changeOrder(order, { customer_email: 'ada@example.com' })
  expect(await amounts(order)).toEqual([10_000, 700, 10_700])
  const { number, shipments_count: count } = await orderOf(order)
  expect([count, (await shipmentsOf(order))[0]?.number]).toEqual([1, `#${String(number)}/S/001`])
  expect(await eventsOf(order)).toEqual([
    'orders.create',
    'orders.draft',
    'orders.rebuild_shipments',
    'orders.pending',
  ])
  expect((await remove(core.tokens.admin, line)).status).toBe(204)
  expect(await shipmentsOf(order)).toEqual([])
  expect(await amounts(order)).toEqual([0, 0, 0])
  expect((await orderOf(order))['shipments_count']).toBe(0)
})

test('goods of two locations and two categories come in shipments of their own, each with its method', async () => {
  const order = await pending()
  for (const code of ['SKU-A', 'SKU-B', 'SKU-D']) await addSku(order, code, 1)
  const shipments = await shipmentsOf(order)
  expect(shipments.map(({ skus }) => skus)).toEqual([1, 1, 1])
  expect(await amounts(order)).toEqual([10_500, 2100, 12_600])
  await core.pool.query('UPDATE markets SET shipping_cost_cutoff = 1 WHERE id = 1')
  await changeOrder(order, { _refresh: true })
  expect(await amounts(order)).toEqual([10_500, 700, 11_200])
  expect((await shipmentsOf(order)).map(({ id }) => id)).toEqual(shipments.map(({ id }) => id))
})

test('with no_split there is one shipment without a category, of what one location has', async () => {
  await core.pool.query(`UPDATE inventory_models SET strategy = 'no_split' WHERE id = 1`)
  const order = await pending()
  for (const code of ['SKU-A', 'SKU-D']) await addSku(order, code, 1)
  const response = await core.get(
    `/api/orders/${order}/shipments?include=shipping_category`,
    core.tokens.admin,
  )
  expect(
    listOf(response).data.map(({ relationships }) => relationships?.['shipping_category']?.data),
  ).toEqual([null])
  expect(await shipmentsOf(order)).toMatchObject([{ skus: 2 }])
})

test('from the primary what it lacks is transferred, and nothing of it is promised yet', async () => {
  await core.pool.query(`UPDATE inventory_models SET strategy = 'ship_from_primary' WHERE id = 1`)
  const order = await pending()
  await addSku(order, 'SKU-B', 2)
  expect(await shipmentsOf(order)).toMatchObject([{ units: [['SKU-B', 2]], skus: 2 }])
  const transfers = listOf(await core.get(`/api/orders/${order}/stock_transfers`, core.tokens.admin)).data
  expect(transfers.map(({ attributes }) => [attributes['status'], attributes['quantity']])).toEqual([
    ['draft', 2],
  ])
  expect((await core.pool.query('SELECT 1 FROM reserved_stocks')).rowCount).toBe(0)
})

test('a method that was chosen stays while it is available, and the order costs what it costs', async () => {
  const order = await pending()
  const line = singleOf(await addSku(order, 'SKU-A', 2)).data.id
  const [{ id: shipment } = { id: '' }] = await shipmentsOf(order)
  expect((await choose(shipment, 2)).status).toBe(200)
  expect(await amounts(order)).toEqual([10_000, 1500, 11_500])
  await change(core.tokens.admin, line, { quantity: 4 })
  expect(await amounts(order)).toEqual([20_000, 0, 20_000])
  await changeOrder(order, {}, { shipping_address: one('addresses', 2) })
  expect((await choose(shipment, 3)).status).toBe(200)
  expect(await amounts(order)).toEqual([20_000, 2500, 22_500])
  await changeOrder(order, {}, { shipping_address: one('addresses', 1) })
  expect(await amounts(order)).toEqual([20_000, 700, 20_700])
  expect(at(await choose(shipment, 3))).toEqual([
    ['422', '/data/relationships/shipping_method', 'unavailable'],
  ])
  expect((await choose(shipment, null)).status).toBe(200)
  expect(await amounts(order)).toEqual([20_000, 0, 20_000])
})

test('a customer chooses the method of their own order, and of no other', async () => {
  const ada = await core.tokens.mint(customer(1, [1]))
  const order = await begin(ada)
  await add(ada, order, { sku_code: 'SKU-A', quantity: 1 })
  const response = await core.get(`/api/orders/${order}?include=shipments.available_shipping_methods`, ada)
  const included = singleOf(response).included ?? []
  expect(included.map(({ attributes }) => attributes['name'] ?? attributes['status']).toSorted()).toEqual([
    'Courier',
    'Post',
    'draft',
  ])
  const shipment = included.find(({ type }) => type === 'shipments')?.id ?? ''
  expect((await choose(shipment, 2, ada)).status).toBe(200)
  expect(attributesOf(await core.get(`/api/orders/${order}`, ada))['shipping_amount_cents']).toBe(1500)
  const vip = await core.tokens.mint(customer(2, [1]))
  expect((await choose(shipment, 1, vip)).status).toBe(401)
})

test('what is not shipped has stock line items and no shipment', async () => {
  await core.pool.query(`UPDATE skus SET do_not_ship = true WHERE id = ${SKUS.A}`)
  const order = await pending()
  const line = singleOf(await addSku(order, 'SKU-A', 2)).data.id
  expect(await shipmentsOf(order)).toEqual([])
  const stock = listOf(await core.get(`/api/line_items/${line}/stock_line_items`, core.tokens.admin)).data
  expect(stock.map(({ attributes }) => attributes['quantity'])).toEqual([2])
})

test('shipments that somebody works on, and orders that do not refresh themselves, stay as they are', async () => {
  const order = await pending()
  const line = singleOf(await addSku(order, 'SKU-A', 1)).data.id
  await changeOrder(order, { autorefresh: false })
  await change(core.tokens.admin, line, { quantity: 2 })
  expect(await shipmentsOf(order)).toMatchObject([{ skus: 1 }])
  await changeOrder(order, { _refresh: true })
  expect(await shipmentsOf(order)).toMatchObject([{ skus: 2 }])
  await core.pool.query(`UPDATE shipments SET status = 'picking' WHERE order_id = $1`, [
    decodeId('orders', order),
  ])
  await changeOrder(order, { _refresh: true, autorefresh: true })
  await change(core.tokens.admin, line, { quantity: 3 })
  expect(await shipmentsOf(order)).toMatchObject([{ skus: 2 }])
  expect(await amounts(order)).toEqual([15_000, 700, 15_700])
})

test('its own reservations do not count against an order that is edited, and shrink with what they are for', async () => {
  const order = await pending()
  const line = singleOf(await addSku(order, 'SKU-A', 7)).data.id
  const number = decodeId('orders', order)
  await setOrder(order, `status = 'editing'`)
  await core.pool.query(`
    INSERT INTO reserved_stocks (id, environment_id, stock_item_id, sku_id, quantity) VALUES (1, 1, 1, 1, 7);
    INSERT INTO stock_reservations (environment_id, status, quantity, stock_item_id, reserved_stock_id, sku_id, order_id,
      line_item_id, stock_line_item_id)
    SELECT 1, 'pending', 7, 1, 1, 1, ${number}, ${decodeId('line_items', line)}, id FROM stock_line_items`)
  const reserved = async (): Promise<unknown> =>
    (await core.pool.query<{ quantity: number }>('SELECT quantity FROM reserved_stocks')).rows[0]?.quantity
  expect((await change(core.tokens.admin, line, { quantity: 6 })).status).toBe(200)
  expect([await reserved(), (await shipmentsOf(order))[0]?.skus]).toEqual([6, 6])
})

test('draft reservations end with their order', async () => {
  const order = await pending()
  await addSku(order, 'SKU-A', 1)
  await core.pool.query(`
    INSERT INTO reserved_stocks (id, environment_id, stock_item_id, sku_id, quantity) VALUES (1, 1, 1, 1, 1);
    INSERT INTO stock_reservations (environment_id, status, quantity, stock_item_id, reserved_stock_id, sku_id, order_id)
    VALUES (1, 'draft', 1, 1, 1, 1, ${decodeId('orders', order)})`)
  expect((await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)).status).toBe(204)
  expect((await core.pool.query('SELECT quantity FROM reserved_stocks')).rows).toEqual([{ quantity: 0 }])
  expect((await core.pool.query('SELECT 1 FROM shipments WHERE id >= 5000')).rowCount).toBe(0)
})
