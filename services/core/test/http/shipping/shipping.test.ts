/** Shipping methods, what of them a shipment may use, and the stock that shipments, transfers and reservations hold. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { expireReservations } from '../../../src/inventory/reservation-expiry.ts'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { at, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('shipping')
  await core.pool
    .query(`INSERT INTO shipments (id, environment_id, order_id, number, currency_code, stock_location_id,
      inventory_stock_location_id) VALUES (1, 1, 2, '#2/S/001', 'EUR', 1, 1)`)
  await core.pool
    .query(`INSERT INTO stock_line_items (id, environment_id, shipment_id, line_item_id, sku_id, sku_code,
      stock_item_id, quantity) VALUES (1, 1, 1, 3, 1, 'SKU-A', 1, 2)`)
})
afterAll(() => core.close())

const create = (type: string, attributes: Body, relationships: Body = {}, token = core.tokens.admin) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const patch = (
  type: string,
  id: string,
  attributes: Body,
  relationships: Body = {},
  token = core.tokens.admin,
) => core.send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, attributes, relationships } })

const reservedOf = async (item: number): Promise<unknown> => {
  const { rows } = await core.pool.query<{ quantity: number }>(
    'SELECT quantity FROM reserved_stocks WHERE stock_item_id = $1',
    [item],
  )
  return rows[0]?.quantity
}

const stockOf = async (item: number): Promise<unknown> => {
  const text = 'SELECT quantity FROM stock_items WHERE id = $1'
  return (await core.pool.query<{ quantity: number }>(text, [item])).rows[0]?.quantity
}

const shipment = encodeId('shipments', 1)

test('a shipment shows the methods that deliver it, each with its cost', async () => {
  const zone = singleOf(await create('shipping_zones', { name: 'France', country_code_regex: '^FR$' })).data
    .id
  const ofMarket = { market: one('markets', 1) }
  await create('shipping_methods', { name: 'Post', price_amount_cents: 700 }, ofMarket)
  await create(
    'shipping_methods',
    { name: 'To France', price_amount_cents: 900 },
    { ...ofMarket, shipping_zone: { data: { type: 'shipping_zones', id: zone } } },
  )
  await create(
    'shipping_methods',
    { name: 'America', price_amount_cents: 900 },
    { market: one('markets', 2) },
  )
  const path = `/api/shipments/${shipment}/available_shipping_methods`
  const seen = ({ attributes }: { attributes: Body }) => [
    attributes['name'],
    attributes['price_amount_for_shipment_cents'],
    attributes['formatted_price_amount_for_shipment'],
  ]
  expect(listOf(await core.get(path, core.tokens.admin)).data.map(seen)).toEqual([['Post', 700, '€7,00']])
  const included = singleOf(
    await core.get(`/api/shipments/${shipment}?include=available_shipping_methods`, core.tokens.admin),
  ).included
  expect(included?.map(seen)).toEqual([['Post', 700, '€7,00']])
  const all = listOf(await core.get('/api/shipping_methods', core.tokens.admin))
  expect(all.data.map((each) => each.attributes['price_amount_for_shipment_cents'])).toEqual([
    null,
    null,
    null,
  ])
})

test('a method needs what its scheme and weights say', async () => {
  const response = await create(
    'shipping_methods',
    { name: 'X', price_amount_cents: 1, scheme: 'external', min_weight: 5, max_weight: 2 },
    { market: one('markets', 1) },
  )
  expect(at(response)).toEqual([
    ['422', '/data/attributes/external_prices_url', 'blank'],
    ['422', '/data/attributes/unit_of_weight', 'blank'],
    ['422', '/data/attributes/max_weight', 'greater_than_or_equal_to'],
  ])
})

test('a shipment moves by its triggers, and not out of their order', async () => {
  expect(at(await patch('shipments', shipment, { _ship: true }))).toEqual([
    ['422', '/data/attributes/status', 'invalid_transition'],
  ])
  for (const [trigger, status] of [
    ['_upcoming', 'upcoming'],
    ['_picking', 'picking'],
    ['_packing', 'packing'],
  ] as const)
    expect(singleOf(await patch('shipments', shipment, { [trigger]: true })).data.attributes['status']).toBe(
      status,
    )
  const events = listOf(await core.get(`/api/shipments/${shipment}/events`, core.tokens.admin))
  expect(events.data.map(({ attributes }) => attributes['name'])).toEqual([
    'shipments.upcoming',
    'shipments.picking',
    'shipments.packing',
  ])
  const ada = await core.tokens.mint(customer(1, [1]))
  expect((await patch('shipments', shipment, { _ready_to_ship: true }, {}, ada)).status).toBe(401)
})

test('stock of a shipment is moved by hand only while its order is in fulfillment', async () => {
  expect(at(await patch('shipments', shipment, { _reserve_stock: true }))).toEqual([
    ['422', '/data/relationships/order', 'not_in_progress'],
  ])
  await core.pool.query(`UPDATE orders SET fulfillment_status = 'in_progress' WHERE id = 2`)
  expect((await patch('shipments', shipment, { _reserve_stock: true })).status).toBe(200)
  expect((await patch('shipments', shipment, { _reserve_stock: true })).status).toBe(200)
  expect([await stockOf(1), await reservedOf(1)]).toEqual([7, 2])
  expect((await patch('shipments', shipment, { _decrement_stock: true })).status).toBe(200)
  expect([await stockOf(1), await reservedOf(1)]).toEqual([5, 0])
  expect((await patch('shipments', shipment, { _cancel: true })).status).toBe(200)
  expect([await stockOf(1), await reservedOf(1)]).toEqual([7, 0])
})

test('a reservation promises what is there, and gives it back', async () => {
  const item = { stock_item: one('stock_items', 2) }
  const made = singleOf(await create('stock_reservations', { quantity: 2 }, item)).data
  expect(made.attributes).toMatchObject({
    status: 'draft',
    quantity: 2,
    expires_at: '2026-11-20T13:00:00.000Z',
  })
  expect(at(await create('stock_reservations', { quantity: 2 }, item))).toEqual([
    ['422', '/data/attributes/quantity', 'out_of_stock'],
  ])
  expect(
    at(await patch('stock_items', encodeId('stock_items', 2), { quantity: 1, _validate: true })),
  ).toEqual([['422', '/data/attributes/quantity', 'greater_than_or_equal_to']])
  expect(
    (await core.send('DELETE', `/api/stock_items/${encodeId('stock_items', 2)}`, core.tokens.admin)).status,
  ).toBe(423)
  expect((await core.send('DELETE', `/api/stock_reservations/${made.id}`, core.tokens.admin)).status).toBe(
    204,
  )
  expect(await reservedOf(2)).toBe(0)
})

test('a draft reservation ends when it expires, and a pending one does not', async () => {
  const item = { stock_item: one('stock_items', 2) }
  const draft = singleOf(await create('stock_reservations', { quantity: 1 }, item)).data.id
  const kept = singleOf(await create('stock_reservations', { quantity: 1 }, item)).data.id
  expect(singleOf(await patch('stock_reservations', kept, { _pending: true })).data.attributes).toMatchObject(
    {
      status: 'pending',
      expires_at: null,
    },
  )
  await core.pool.query(
    `UPDATE stock_reservations SET expires_at = '2026-11-20T11:00:00Z' WHERE expires_at IS NOT NULL`,
  )
  await expire()
  expect((await core.get(`/api/stock_reservations/${draft}`, core.tokens.admin)).status).toBe(404)
  expect(await reservedOf(2)).toBe(1)
})

test('what is promised to others can be neither ordered nor seen as available', async () => {
  const line = { sku_code: 'SKU-B', quantity: 3 }
  const response = await create('line_items', line, { order: one('orders', 1) })
  expect(errorsOf(response)).toMatchObject([{ meta: { error: 'out_of_stock', value: 3, count: 2 } }])
  const post = { name: 'Courier', price_amount_cents: 500, free_over_amount_cents: 9000 }
  const method = singleOf(await create('shipping_methods', post, { market: one('markets', 1) })).data.id
  await create(
    'delivery_lead_times',
    { min_hours: 24, max_hours: 48 },
    {
      stock_location: one('stock_locations', 2),
      shipping_method: { data: { type: 'shipping_methods', id: method } },
    },
  )
  const token = await core.tokens.mint(salesChannel([1]))
  const sku = singleOf(await core.get(`/api/skus/${encodeId('skus', 2)}`, token)).data
  const costs = {
    name: 'Courier',
    reference: null,
    price_amount_cents: 500,
    free_over_amount_cents: 9000,
    formatted_price_amount: '€5,00',
    formatted_free_over_amount: '€90,00',
  }
  const time = { shipping_method: costs, min: { hours: 24, days: 1 }, max: { hours: 48, days: 2 } }
  expect(sku.attributes['inventory']).toEqual({
    available: true,
    quantity: 2,
    levels: [{ quantity: 2, delivery_lead_times: [time] }],
  })
})

test('a transfer reserves at its origin and moves what arrives', async () => {
  const places = {
    sku: one('skus', 2),
    origin_stock_location: one('stock_locations', 4),
    destination_stock_location: one('stock_locations', 1),
  }
  const { id } = singleOf(await create('stock_transfers', { quantity: 4 }, places)).data
  expect((await patch('stock_transfers', id, { _upcoming: true })).status).toBe(200)
  expect([await stockOf(10), await reservedOf(10)]).toEqual([6, 4])
  expect(at(await patch('stock_transfers', id, { quantity: 7 }))).toEqual([
    ['422', '/data/attributes/quantity', 'out_of_stock'],
  ])
  for (const trigger of ['_picking', '_in_transit', '_complete', '_complete'])
    expect((await patch('stock_transfers', id, { [trigger]: true })).status).toBe(200)
  expect([await stockOf(10), await reservedOf(10)]).toEqual([2, 0])
  const { rows } = await core.pool.query<{ quantity: number }>(
    'SELECT quantity FROM stock_items WHERE environment_id = 1 AND stock_location_id = 1 AND sku_id = 2',
  )
  expect(rows).toEqual([{ quantity: 4 }])
})

const expire = async (): Promise<void> => {
  await core.jobs.enqueue(expireReservations, {}, runOn(core.pool))
  await core.jobs.runUntilIdle()
}
