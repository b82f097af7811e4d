/** The row conditions of sales channels (packages/access-token/src/sales-channel-permissions.ts), seen from outside. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { expectUnauthorized, linkTo, patch } from '../support/restricted-role.ts'

let core: TestCore
let guest: string
let ada: string

beforeAll(async () => {
  core = await openCore('sales_channel_rows')
  guest = await core.tokens.mint(salesChannel([1]))
  ada = await core.tokens.mint(customer(1, [1]))
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const STATUSES = ['draft', 'pending', 'placing', 'placed', 'approved', 'cancelled'] as const
const WRITABLE: readonly string[] = ['draft', 'pending']
const READABLE: readonly string[] = [...WRITABLE, 'placing', 'placed']

const setStatus = (number: number, status: string) =>
  core.pool.query('UPDATE orders SET status = $1 WHERE id = $2', [status, number])

const newAddress = async (): Promise<number> => {
  const { rows } = await core.pool.query<{ id: number }>(
    `INSERT INTO addresses (environment_id, first_name, last_name, line_1, city, country_code, phone)
      VALUES (1, 'Ann', 'Smith', 'Via Po 1', 'Torino', 'IT', '+39 3') RETURNING id`,
  )
  return rows[0]?.id ?? 0
}

const order = (number: number) => ({ type: 'orders', id: encodeId('orders', number) })
const lineItem = (number: number) => ({ type: 'line_items', id: encodeId('line_items', number) })

describe.each(STATUSES)('an order that is %s', (status) => {
  it('is read by a guest until it is approved, by its customer always', async () => {
    await setStatus(1, status)
    await setStatus(2, status)
    const read = async (token: string, number: number) =>
      (await core.get(`/api/orders/${order(number).id}`, token)).status
    expect([await read(guest, 1), await read(ada, 2)]).toEqual([READABLE.includes(status) ? 200 : 401, 200])
  })

  it('is changed by sales channels only in the making', async () => {
    await setStatus(1, status)
    await setStatus(2, status)
    const answers = [
      await patch(core, guest, order(1), { reference: 'mine' }),
      await patch(core, ada, order(2), { reference: 'mine' }),
    ]
    const expected = WRITABLE.includes(status) ? 200 : 401
    expect(answers.map((answer) => answer.status)).toEqual([expected, expected])
    const { rows } = await core.pool.query('SELECT count(*) AS changed FROM orders WHERE reference = $1', [
      'mine',
    ])
    expect(rows).toEqual([{ changed: expected === 200 ? 2 : 0 }])
  })

  it.each(['billing_address_id', 'shipping_address_id'])(
    'lends its status to the address in its %s',
    async (column) => {
      await setStatus(1, status)
      await setStatus(2, status)
      const answers = []
      for (const [number, token] of [
        [1, guest],
        [2, ada],
      ] as const) {
        const address = await newAddress()
        await core.pool.query(`UPDATE orders SET ${column} = $1 WHERE id = $2`, [address, number])
        const at = { type: 'addresses', id: encodeId('addresses', address) }
        answers.push((await patch(core, token, at, { line_1: 'Elsewhere 2' })).status)
        expect((await patch(core, core.tokens.admin, at, { line_2: 'Floor 3' })).status).toBe(200)
      }
      const expected = WRITABLE.includes(status) ? 200 : 401
      expect(answers).toEqual([expected, expected])
    },
  )

  it('lends its status to its line items', async () => {
    await setStatus(1, status)
    const path = `/api/line_items/${lineItem(1).id}`
    expect((await core.get(path, guest)).status).toBe(READABLE.includes(status) ? 200 : 401)
    const answers = [
      await patch(core, guest, lineItem(1), { reference: 'mine' }),
      await core.send('DELETE', path, guest),
    ]
    if (WRITABLE.includes(status)) expect(answers.map((answer) => answer.status)).toEqual([200, 204])
    else for (const answer of answers) expectUnauthorized(answer)
  })
})

describe('a sales channel', () => {
  it.each([
    ['draft', 200],
    ['upcoming', 401],
  ])('changes the address of a shipment that is %s with %d', async (shipmentStatus, expected) => {
    const address = await newAddress()
    await core.pool.query(
      `INSERT INTO shipments (environment_id, number, status, currency_code, order_id, stock_location_id,
          inventory_stock_location_id, shipping_address_id)
        VALUES (1, 'S1', $1, 'EUR', 1, 1, 1, $2)`,
      [shipmentStatus, address],
    )
    const at = { type: 'addresses', id: encodeId('addresses', address) }
    expect((await patch(core, guest, at, { line_1: 'Elsewhere 2' })).status).toBe(expected)
  })

  it('adds no line item to an order that was placed', async () => {
    await setStatus(1, 'placed')
    const body = {
      data: {
        type: 'line_items',
        attributes: { quantity: 1, sku_code: 'SKU-A' },
        relationships: { order: linkTo('orders', 1) },
      },
    }
    expect([401, 422]).toContain((await core.send('POST', '/api/line_items', guest, body)).status)
    expect((await core.pool.query('SELECT 1 FROM line_items WHERE id >= 5000')).rows).toEqual([])
  })

  it('does not put its customer into a group: the group’s markets are private', async () => {
    const me = { type: 'customers', id: encodeId('customers', 1) }
    const group = { customer_group: linkTo('customer_groups', 1) }
    for (const response of [
      await patch(core, ada, me, {}, group),
      await core.send('POST', '/api/customers', guest, {
        data: { type: 'customers', attributes: { email: 'eve@example.com' }, relationships: group },
      }),
    ]) {
      expect([response.status, errorsOf(response)[0]?.source]).toEqual([
        422,
        { pointer: '/data/relationships/customer_group' },
      ])
    }
  })

  it.each([
    ['orders', order(1), { _approve: true, number: '99' }],
    ['line_items', lineItem(1), { unit_amount_cents: 1 }],
    ['orders', order(1), { _add_tags: 'mine' }],
  ])('gets an error for each field of %s that it may never send', async (_type, at, attributes) => {
    const response = await patch(core, guest, at, attributes)
    expect(errorsOf(response).map(({ status, source }) => [status, source?.pointer])).toEqual(
      Object.keys(attributes).map((name) => ['400', `/data/attributes/${name}`]),
    )
    expect(errorsOf(response)[0]?.detail).toMatch(/cannot be sent by a sales channel$/)
  })

  it('lists orders of other guests neither by includes nor by filters', async () => {
    await core.pool.query('UPDATE orders SET store_id = 1, guest = true WHERE environment_id = 1')
    const mine = `/api/orders/${order(1).id}`
    for (const path of [
      `${mine}?include=store.orders`,
      `${mine}?include=market.stores.orders.customer`,
      '/api/payment_methods?include=store.orders',
      '/api/shipping_methods?include=stock_location.stock_transfers.shipment.order',
      '/api/shipping_methods?filter[q][stock_location_stock_transfers_shipment_order_customer_email_start]=a',
    ]) {
      const wire = path.replaceAll('[', '%5B').replaceAll(']', '%5D')
      expectUnauthorized(await core.get(wire, guest))
    }
    expect((await core.get(`${mine}?include=store,line_items,shipments.stock_transfers`, guest)).status).toBe(
      200,
    )
    expect((await core.get(`/api/orders/${order(2).id}?include=store.orders`, ada)).status).toBe(200)
  })

  it('lists none of what it may only read one by one, with or without filters', async () => {
    for (const query of ['', '?filter[q][number_eq]=1', '?page[size]=1'])
      expectUnauthorized(await core.get(`/api/orders${query}`, guest))
    expect(listOf(await core.get('/api/orders', ada)).meta.record_count).toBe(2)
  })
})
