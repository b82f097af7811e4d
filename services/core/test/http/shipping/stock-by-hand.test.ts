/** Shipments, transfers and reservations of orders that somebody changes by hand: what is there and promised still adds up. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, checkoutCalls, linkTo, one, orderCalls, WITH_SHIPPING } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('stock_by_hand')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { orderOf } = orderCalls(() => core)
const { payable, move, send } = checkoutCalls(() => core)

const patch = (type: string, id: string, attributes: Body, relationships: Body = {}) =>
  core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, {
    data: { type, id, attributes, relationships },
  })

const create = async (type: string, attributes: Body, relationships: Body): Promise<string> =>
  singleOf(
    await core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } }),
  ).data.id

const remove = (type: string, id: string) => core.send('DELETE', `/api/${type}/${id}`, core.tokens.admin)

/** The first of what belongs to an order. */
const firstOf = async (order: string, name: string): Promise<string> =>
  listOf(await core.get(`/api/orders/${order}/${name}`, core.tokens.admin)).data[0]?.id ?? ''

/** Units of a stock item, and how many of them are promised. */
const stockOf = async (item: number) => {
  const { rows } = await core.pool.query<{ quantity: number; reserved: number }>(
    `SELECT quantity, coalesce((SELECT quantity FROM reserved_stocks WHERE stock_item_id = items.id), 0) AS reserved
      FROM stock_items AS items WHERE id = $1`,
    [item],
  )
  return [rows[0]?.quantity, rows[0]?.reserved]
}

/** SKU-A in Milano, SKU-B in New York. */
const [MILANO, NEW_YORK] = [1, 2]

const fromPrimary = () =>
  core.pool.query(`UPDATE inventory_models SET strategy = 'ship_from_primary' WHERE id = 1`)

test('an order takes and gives back what it sells, whatever became of its reservation', async () => {
  const order = await payable()
  await move(order, '_place')
  const reservation = await firstOf(order, 'stock_reservations')
  expect((await patch('stock_reservations', reservation, { quantity: 1 })).status).toBe(200)
  await move(order, '_approve')
  expect(await stockOf(MILANO)).toEqual([5, 0])
  await move(order, '_cancel')
  expect(await stockOf(MILANO)).toEqual([7, 0])
})

test('what is reserved for a changed line of goods that are not shipped ends with the order', async () => {
  await core.pool.query('UPDATE skus SET do_not_ship = true WHERE id = 1')
  const order = await payable()
  await move(order, '_place')
  expect(await stockOf(MILANO)).toEqual([7, 2])
  const [line] = listOf(await core.get('/api/stock_line_items?sort=-id', core.tokens.admin)).data
  expect((await patch('stock_line_items', line?.id ?? '', { quantity: 1 })).status).toBe(200)
  expect(await stockOf(MILANO)).toEqual([7, 1])
  await move(order, '_cancel')
  expect(await stockOf(MILANO)).toEqual([7, 0])
})

test('goods that are not shipped stay with whoever was refunded, not with whoever never paid', async () => {
  await core.pool.query('UPDATE skus SET do_not_ship = true WHERE id = 1')
  const unpaid = await payable()
  await move(unpaid, '_place', '_approve')
  expect(await stockOf(MILANO)).toEqual([5, 0])
  const authorization = await firstOf(unpaid, 'authorizations')
  expect((await patch('authorizations', authorization, { _void: true })).status).toBe(200)
  expect(await orderOf(unpaid)).toMatchObject({ status: 'cancelled', payment_status: 'voided' })
  expect(await stockOf(MILANO)).toEqual([7, 0])
  const paid = await payable()
  await move(paid, '_place', '_approve_and_capture', '_refund')
  expect(await orderOf(paid)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' })
  expect(await stockOf(MILANO)).toEqual([5, 0])
})

test('a shipment that a placed order is charged for stays', async () => {
  const order = await payable()
  await move(order, '_place', '_approve_and_capture')
  const response = await remove('shipments', await firstOf(order, 'shipments'))
  expect(response.status).toBe(423)
  expect(response.text).toContain('is charged for this shipment, so it stays; _cancel ends it')
  expect(await orderOf(order)).toMatchObject({ shipments_count: 1, shipping_amount_cents: 700 })
})

test('what is reserved for the transfers of a shipment ends with the shipment', async () => {
  const order = await payable()
  await move(order, '_place', '_approve_and_capture')
  const shipment = await create(
    'shipments',
    {},
    { order: linkTo('orders', order), inventory_stock_location: one('inventory_stock_locations', 1) },
  )
  const transfer = await create(
    'stock_transfers',
    { quantity: 2 },
    {
      sku: one('skus', 2),
      shipment: linkTo('shipments', shipment),
      origin_stock_location: one('stock_locations', 2),
      destination_stock_location: one('stock_locations', 1),
    },
  )
  expect((await patch('stock_transfers', transfer, { _upcoming: true })).status).toBe(200)
  expect(await stockOf(NEW_YORK)).toEqual([3, 2])
  expect((await remove('shipments', shipment)).status).toBe(204)
  expect(await stockOf(NEW_YORK)).toEqual([3, 0])
})

test('a transfer or a stock line is added to an order only while it is in fulfillment', async () => {
  const order = await payable()
  const shipment = linkTo('shipments', await firstOf(order, 'shipments'))
  const line_item = linkTo('line_items', await firstOf(order, 'line_items'))
  const places = {
    sku: one('skus', 1),
    origin_stock_location: one('stock_locations', 1),
    destination_stock_location: one('stock_locations', 2),
  }
  const refused = async (type: string, relationships: Body, fulfillment: string) => {
    const data = { type, attributes: { quantity: 1 }, relationships }
    const response = await core.send('POST', `/api/${type}`, core.tokens.admin, { data })
    expect(response.text).toContain(
      `can be sent while the fulfillment of its order is in_progress; it is ${fulfillment}`,
    )
    return at(response)
  }
  const ofShipment = [['422', '/data/relationships/shipment', 'not_editable']]
  const ofLine = [['422', '/data/relationships/line_item', 'not_editable']]
  await move(order, '_place')
  expect(await refused('stock_transfers', { ...places, shipment }, 'unfulfilled')).toEqual(ofShipment)
  expect(await refused('stock_transfers', { ...places, line_item }, 'unfulfilled')).toEqual(ofLine)
  const apart = await create('stock_transfers', { quantity: 1 }, places)
  expect(at(await patch('stock_transfers', apart, {}, { shipment }))).toEqual(ofShipment)
  const stock_item = one('stock_items', MILANO)
  expect(await refused('stock_line_items', { stock_item, line_item }, 'unfulfilled')).toEqual(ofLine)
  expect(await refused('stock_line_items', { stock_item, shipment }, 'unfulfilled')).toEqual(ofShipment)
  await move(order, '_approve', '_capture')
  expect((await patch('stock_transfers', apart, {}, { shipment, line_item })).status).toBe(200)
  await move(order, '_refund')
  expect((await orderOf(order))['status']).toBe('cancelled')
  expect(await refused('stock_transfers', { ...places, shipment }, 'unfulfilled')).toEqual(ofShipment)
})

test('a transfer or a stock line is not of two orders', async () => {
  const [order, other] = [await payable(), await payable()]
  for (const each of [order, other]) await move(each, '_place', '_approve', '_capture')
  const shipment = linkTo('shipments', await firstOf(order, 'shipments'))
  const line_item = linkTo('line_items', await firstOf(order, 'line_items'))
  const line_of_other = linkTo('line_items', await firstOf(other, 'line_items'))
  const wanted = {
    stock_transfers: {
      sku: one('skus', 1),
      origin_stock_location: one('stock_locations', 1),
      destination_stock_location: one('stock_locations', 2),
    },
    stock_line_items: { stock_item: one('stock_items', MILANO) },
  }
  for (const [type, relationships] of Object.entries(wanted)) {
    const ofTwo = { type, attributes: { quantity: 1 }, relationships: { ...relationships, shipment } }
    const refused = async (response: ReturnType<typeof patch>) => {
      expect(at(await response)).toEqual([['422', '/data/relationships/line_item', 'invalid']])
      expect((await response).text).toContain('must be of the order of the shipment')
    }
    const links = { ...ofTwo.relationships, line_item: line_of_other }
    const data = { ...ofTwo, relationships: links }
    await refused(core.send('POST', `/api/${type}`, core.tokens.admin, { data }))
    const kept = await create(type, { quantity: 1 }, { ...ofTwo.relationships, line_item })
    await refused(patch(type, kept, {}, { line_item: line_of_other }))
  }
})

test('nothing is added to a shipment that was cancelled or has left', async () => {
  const order = await payable()
  await move(order, '_place', '_approve', '_capture')
  const shipment = await create(
    'shipments',
    {},
    { order: linkTo('orders', order), inventory_stock_location: one('inventory_stock_locations', 1) },
  )
  const line_item = await firstOf(order, 'line_items')
  expect((await patch('shipments', shipment, { _cancel: true })).status).toBe(200)
  const relationships = {
    sku: one('skus', 1),
    origin_stock_location: one('stock_locations', 1),
    destination_stock_location: one('stock_locations', 2),
    shipment: linkTo('shipments', shipment),
    line_item: linkTo('line_items', line_item),
  }
  const data = { type: 'stock_transfers', attributes: { quantity: 1 }, relationships }
  const response = await core.send('POST', '/api/stock_transfers', core.tokens.admin, { data })
  expect(at(response)).toEqual([['422', '/data/relationships/shipment', 'not_editable']])
  expect(response.text).toContain('must not be shipped or cancelled')
})

test('what was asked for, for a line and no shipment, ends with the order', async () => {
  const order = await payable()
  await move(order, '_place', '_approve', '_capture')
  const transfer = await create(
    'stock_transfers',
    { quantity: 2 },
    {
      sku: one('skus', 2),
      line_item: linkTo('line_items', await firstOf(order, 'line_items')),
      origin_stock_location: one('stock_locations', 2),
      destination_stock_location: one('stock_locations', 1),
    },
  )
  expect((await patch('stock_transfers', transfer, { _upcoming: true })).status).toBe(200)
  expect(await stockOf(NEW_YORK)).toEqual([3, 2])
  await move(order, '_refund')
  expect(await stockOf(NEW_YORK)).toEqual([3, 0])
  const { attributes } = singleOf(await core.get(`/api/stock_transfers/${transfer}`, core.tokens.admin)).data
  expect(attributes['status']).toBe('cancelled')
})

test('the transfers of a cart are not started by hand', async () => {
  await fromPrimary()
  const order = await payable('SKU-B', 2)
  const transfer = await firstOf(order, 'stock_transfers')
  const response = await patch('stock_transfers', transfer, { _upcoming: true })
  expect(at(response)).toEqual([['422', '/data/attributes/_upcoming', 'not_placed']])
  expect(response.text).toContain('placing the order sends it')
  expect((await remove('orders', order)).status).toBe(204)
  expect(await stockOf(NEW_YORK)).toEqual([3, 0])
})

test('an order whose goods are still elsewhere is not fulfilled', async () => {
  await fromPrimary()
  const order = await payable('SKU-B', 2)
  await move(order, '_place', '_approve_and_capture')
  expect(at(await send(order, '_fulfill'))).toEqual([
    ['422', '/data/relationships/stock_transfers', 'not_completed'],
  ])
  const transfer = await firstOf(order, 'stock_transfers')
  for (const trigger of ['_picking', '_in_transit', '_complete'])
    expect((await patch('stock_transfers', transfer, { [trigger]: true })).status).toBe(200)
  expect(await move(order, '_fulfill')).toEqual(['approved', 'paid', 'fulfilled'])
  expect(await stockOf(NEW_YORK)).toEqual([1, 0])
})

test('a transfer moves its quantity, whatever became of its reservation, and nothing that is not there', async () => {
  const places = {
    sku: one('skus', 2),
    origin_stock_location: one('stock_locations', 2),
    destination_stock_location: one('stock_locations', 3),
  }
  const begin = async (): Promise<readonly string[]> => {
    const transfer = await create('stock_transfers', { quantity: 2 }, places)
    for (const trigger of ['_upcoming', '_picking', '_in_transit'])
      expect((await patch('stock_transfers', transfer, { [trigger]: true })).status).toBe(200)
    const { rows } = await core.pool.query<{ id: number }>(
      'SELECT id FROM stock_reservations WHERE stock_transfer_id = $1',
      [decodeId('stock_transfers', transfer)],
    )
    return [transfer, encodeId('stock_reservations', rows[0]?.id ?? 0)]
  }
  const [first = '', reserved = ''] = await begin()
  expect((await patch('stock_reservations', reserved, { quantity: 3 })).status).toBe(200)
  expect((await patch('stock_transfers', first, { _complete: true })).status).toBe(200)
  expect(await stockOf(NEW_YORK)).toEqual([1, 0])
  await core.pool.query('UPDATE stock_items SET quantity = 3 WHERE id = 2')
  const [second = '', other = ''] = await begin()
  expect((await remove('stock_reservations', other)).status).toBe(204)
  await core.pool.query('UPDATE stock_items SET quantity = 1 WHERE id = 2')
  expect(at(await patch('stock_transfers', second, { _complete: true }))).toEqual([
    ['422', '/data/attributes/quantity', 'out_of_stock'],
  ])
  expect(await stockOf(NEW_YORK)).toEqual([1, 0])
})

test('what is reserved for a stock line follows its quantity, and what was taken is not changed', async () => {
  await core.pool.query('UPDATE inventory_models SET manual_stock_decrement = true WHERE id = 1')
  const order = await payable()
  await move(order, '_place', '_approve_and_capture')
  const line = await firstOf(order, 'stock_line_items')
  expect((await patch('stock_line_items', line, { _reserve_stock: true })).status).toBe(200)
  expect(await stockOf(MILANO)).toEqual([7, 2])
  expect((await patch('stock_line_items', line, { quantity: 3 })).status).toBe(200)
  expect(await stockOf(MILANO)).toEqual([7, 3])
  expect(at(await patch('stock_line_items', line, { quantity: 8 }))).toEqual([
    ['422', '/data/attributes/quantity', 'out_of_stock'],
  ])
  expect((await patch('stock_line_items', line, { _decrement_stock: true })).status).toBe(200)
  expect(await stockOf(MILANO)).toEqual([4, 0])
  expect(at(await patch('stock_line_items', line, {}, { stock_item: one('stock_items', 8) }))).toEqual([
    ['422', '/data/relationships/stock_item', 'not_editable'],
  ])
})

describe('what another order was promised is not taken', () => {
  /** All that is there is promised to another order. */
  const promiseTheRest = async () => {
    await core.pool.query(`UPDATE stock_items SET quantity = 2 WHERE id = ${MILANO}`)
    const other = await payable()
    await move(other, '_place')
    expect(await stockOf(MILANO)).toEqual([2, 2])
    return other
  }

  test('by hand, when approval has ended the reservation', async () => {
    await core.pool.query('UPDATE inventory_models SET manual_stock_decrement = true WHERE id = 1')
    const order = await payable()
    await move(order, '_place', '_approve_and_capture')
    const other = await promiseTheRest()
    const [shipment, line] = [await firstOf(order, 'shipments'), await firstOf(order, 'stock_line_items')]
    for (const [type, id, where] of [
      ['shipments', shipment, 'relationships/stock_line_items'],
      ['stock_line_items', line, 'attributes/quantity'],
    ] as const)
      for (const trigger of ['_decrement_stock', '_reserve_stock']) {
        const response = await patch(type, id, { [trigger]: true })
        expect(at(response)).toEqual([['422', `/data/${where}`, 'out_of_stock']])
        expect(await stockOf(MILANO)).toEqual([2, 2])
      }
    await move(other, '_cancel')
    expect((await patch('shipments', shipment, { _decrement_stock: true })).status).toBe(200)
    expect(await stockOf(MILANO)).toEqual([0, 0])
  })

  test.each(['_approve', '_approve_and_capture'])(
    'by %s, when somebody has ended the reservation',
    async (trigger) => {
      const order = await payable()
      await move(order, '_place')
      expect((await remove('stock_reservations', await firstOf(order, 'stock_reservations'))).status).toBe(
        204,
      )
      const other = await promiseTheRest()
      const response = await send(order, trigger)
      expect(at(response)).toEqual([['422', '/data/relationships/line_items', 'out_of_stock']])
      expect(response.text).toContain('has 2 of SKU-A, which is out of stock; available: 0')
      expect(await orderOf(order)).toMatchObject({ status: 'placed', payment_status: 'authorized' })
      await move(other, '_cancel')
      await move(order, trigger)
      expect(await stockOf(MILANO)).toEqual([0, 0])
    },
  )
})

test.each([
  ['promised to', true, [3, 4]],
  ['taken for', false, [1, 2]],
])(
  'what arrives is %s its order, also where less was counted than is promised',
  async (_what, isByHand, counted) => {
    await core.pool.query(`UPDATE inventory_models SET manual_stock_decrement = ${isByHand} WHERE id = 1`)
    const order = await payable()
    await move(order, '_place', '_approve_and_capture')
    const stockItem = await create(
      'stock_items',
      { quantity: 2 },
      { sku: one('skus', 2), stock_location: one('stock_locations', 1) },
    )
    await create('stock_reservations', { quantity: 2 }, { stock_item: linkTo('stock_items', stockItem) })
    const item = decodeId('stock_items', stockItem) ?? 0
    await core.pool.query('UPDATE stock_items SET quantity = 1 WHERE id = $1', [item])
    const transfer = await create(
      'stock_transfers',
      { quantity: 2 },
      {
        sku: one('skus', 2),
        shipment: linkTo('shipments', await firstOf(order, 'shipments')),
        origin_stock_location: one('stock_locations', 2),
        destination_stock_location: one('stock_locations', 1),
      },
    )
    for (const trigger of ['_upcoming', '_picking', '_in_transit', '_complete'])
      expect((await patch('stock_transfers', transfer, { [trigger]: true })).status).toBe(200)
    expect(await stockOf(NEW_YORK)).toEqual([1, 0])
    expect(await stockOf(item)).toEqual(counted)
  },
)
