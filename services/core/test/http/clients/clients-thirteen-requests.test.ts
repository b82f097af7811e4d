/**
 * Requests that unmodified public clients send, each as it is on the wire. Requests 8 and 9 go to metrics:
 * services/metrics/test/http/clients-thirteen-requests.test.ts. Request 4 is about the demo too: demo.test.ts.
 */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, SingleBody, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
let guest: string
let ada: string

beforeAll(async () => {
  core = await openCore('clients_thirteen')
  guest = await core.tokens.mint(salesChannel([1]))
  ada = await core.tokens.mint(customer(1, [1]))
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, add, draft } = orderCalls(() => core)

const create = (type: string, token: string, attributes: Body, relationships: Body = {}) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const patch = (order: string, token: string, attributes: Body, relationships: Body = {}, query = '') =>
  core.send('PATCH', `/api/orders/${order}${query}`, token, {
    data: { type: 'orders', id: order, attributes, relationships },
  })

const ADDRESS = {
  first_name: 'Grace',
  last_name: 'Hopper',
  line_1: 'Via Po 2',
  city: 'Torino',
  country_code: 'IT',
  phone: '+39 1',
}

const newAddress = async (token: string) =>
  linkTo('addresses', singleOf(await create('addresses', token, ADDRESS)).data.id)

/** A cart of a guest who has said who they are. */
const guestCart = async (customer_email = 'grace@example.com'): Promise<string> => {
  const order = await begin(guest)
  expect((await add(guest, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(201)
  expect((await patch(order, guest, { customer_email })).status).toBe(200)
  return order
}

const includedOf = ({ included = [] }: SingleBody, type: string): readonly ResourceObject[] =>
  included.filter((each) => each.type === type)

/** Brackets are percent-encoded on the wire. */
const wire = (query: string): string => query.replaceAll('[', '%5B').replaceAll(']', '%5D')

test('1: options of line items are included in reads and writes of an order', async () => {
  const order = await guestCart()
  const query = `?include=line_items.item,line_items.line_item_options.sku_option,payment_source,payment_method`
  for (const answer of [
    await core.get(`/api/orders/${order}${query}`, guest),
    await patch(order, guest, { language_code: 'it' }, {}, query),
  ]) {
    const [line] = includedOf(singleOf(answer), 'line_items')
    expect(line?.relationships?.['line_item_options']?.data).toEqual([])
  }
})

describe('2: the customer of an order is included by a guest', () => {
  const read = async (order: string, token: string, query: string) =>
    singleOf(await core.get(`/api/orders/${order}?include=${query}`, token))

  it('with what a guest may see, and an empty address book', async () => {
    const seen = await read(
      await guestCart(),
      guest,
      'line_items,line_items.item,customer,customer.customer_addresses.address',
    )
    const [customerOfOrder] = includedOf(seen, 'customers')
    expect(customerOfOrder?.attributes).toEqual({ email: 'grace@example.com', has_password: false })
    expect(Object.keys(customerOfOrder?.relationships ?? {})).toEqual([
      'customer_addresses',
      'customer_payment_sources',
    ])
    expect(customerOfOrder?.relationships?.['customer_addresses']?.data).toEqual([])
  })

  it('and nothing of the address book of a customer whose email the guest knows', async () => {
    await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE id = 1 AND environment_id = 1`)
    const address = await newAddress(ada)
    expect((await create('customer_addresses', ada, {}, { address })).status).toBe(201)
    const order = await guestCart('ada@example.com')
    const seen = await read(
      order,
      guest,
      'customer.customer_addresses.address,customer.orders,customer.customer_group',
    )
    const [found] = includedOf(seen, 'customers')
    expect(found?.attributes).toEqual({ email: 'ada@example.com', has_password: true })
    expect(seen.included).toEqual([found])
    expect((await core.get(`/api/customers/${found?.id ?? ''}`, guest)).status).toBe(401)
    expect((await core.get(`/api/customers/${found?.id ?? ''}/customer_addresses`, guest)).status).toBe(401)
  })

  it('at an address of its own', async () => {
    const { data } = singleOf(await core.get(`/api/orders/${await guestCart()}/customer`, guest))
    expect(data.attributes).toEqual({ email: 'grace@example.com', has_password: false })
  })

  it('without fields that are asked for and not shown', async () => {
    const query = wire(
      '?include=customer&fields[orders]=customer&fields[customers]=email,status,customer_group',
    )
    const seen = singleOf(await core.get(`/api/orders/${await guestCart()}${query}`, guest))
    expect(includedOf(seen, 'customers')[0]?.attributes).toEqual({ email: 'grace@example.com' })
  })
})

test('3: the page of addresses is read and written', async () => {
  const order = await guestCart()
  const include = [
    'billing_address,shipping_address',
    'shipments.shipping_method,shipments.available_shipping_methods',
    'shipments.stock_line_items.line_item,shipments.stock_transfers.line_item,shipments.stock_location',
    'customer.customer_addresses.address',
  ].join()
  const fields =
    'fields[shipments]=shipping_method,available_shipping_methods&fields[customer_addresses]=address'
  const seen = await core.get(wire(`/api/orders/${order}?include=${include}&${fields}`), guest)
  expect([seen.status, seen.text]).toEqual([200, expect.anything()])
  const attributes = { customer_email: 'grace@example.com', _shipping_address_same_as_billing: true }
  const body = await patch(
    order,
    guest,
    attributes,
    { billing_address: await newAddress(guest) },
    `?include=billing_address,shipping_address`,
  )
  expect(includedOf(singleOf(body), 'addresses').map((each) => each.attributes)).toEqual([
    expect.objectContaining(ADDRESS),
    expect.objectContaining(ADDRESS),
  ])
})

test('4: a payment source of another type than that of the payment method is refused', async () => {
  const id = await guestCart()
  const order = linkTo('orders', id)
  const pay = () => create('klarna_payments', guest, {}, { order })
  expect(at(await pay())).toEqual([['422', '/data/relationships/order', 'blank']])
  expect((await patch(id, guest, {}, { payment_method: one('payment_methods', 1) })).status).toBe(200)
  const response = await pay()
  expect(at(response)).toEqual([['422', '/data/relationships/order', 'invalid']])
  expect(errorsOf(response)[0]?.title).toContain('allowed: wire_transfers')
})

test('5: an order is paid with a bank transfer and placed', async () => {
  const order = await guestCart()
  const billing_address = await newAddress(guest)
  const attributes = { _shipping_address_same_as_billing: true }
  const payment_method = one('payment_methods', 1)
  await core.pool.query(`
    INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents)
      VALUES (1, 1, 'Post', 'EUR', 700);
    UPDATE markets SET default_shipping_method_id = 1 WHERE id = 1 AND environment_id = 1`)
  expect((await patch(order, guest, attributes, { billing_address, payment_method })).status).toBe(200)
  expect((await create('wire_transfers', guest, {}, { order: linkTo('orders', order) })).status).toBe(201)
  expect(singleOf(await patch(order, guest, { _place: true })).data.attributes).toMatchObject({
    status: 'placed',
    payment_status: 'authorized',
    guest: true,
  })
})

describe('6: gift_card_or_coupon_code is written', () => {
  it('and a code that is neither is reported at the field', async () => {
    const response = await patch(await guestCart(), guest, { gift_card_or_coupon_code: 'SUMMER' })
    expect(at(response)).toEqual([['422', '/data/attributes/gift_card_or_coupon_code', 'noent']])
  })

  it('and taken when it says what the order has', async () => {
    const order = await guestCart()
    for (const code of [null, ''])
      expect((await patch(order, guest, { gift_card_or_coupon_code: code })).status).toBe(200)
    await core.pool.query('UPDATE orders SET coupon_code = $2 WHERE id = $1', [
      decodeId('orders', order),
      'OLD',
    ])
    const { data } = singleOf(await patch(order, guest, { gift_card_or_coupon_code: 'OLD' }))
    expect(data.attributes['gift_card_or_coupon_code']).toBe('OLD')
  })

  it('and null takes the coupon away', async () => {
    const order = await guestCart()
    await core.pool.query('UPDATE orders SET coupon_code = $2 WHERE id = $1', [
      decodeId('orders', order),
      'OLD',
    ])
    const { data } = singleOf(await patch(order, guest, { gift_card_or_coupon_code: null }))
    expect(data.attributes['coupon_code']).toBeNull()
  })

  it('and what is no text is refused', async () => {
    expect(at(await patch(await guestCart(), guest, { gift_card_or_coupon_code: 7 }))).toEqual([
      ['422', '/data/attributes/gift_card_or_coupon_code', 'invalid'],
    ])
  })
})

test('7: a guest reads a SKU list of the shop; one that is not there is 404', async () => {
  const query = wire('?fields[sku_lists]=name,description,sku_list_items,skus,manual,metadata')
  const attributes = { name: 'Best sellers' }
  const body = { data: { type: 'sku_lists', attributes } }
  const { id } = singleOf(await core.send('POST', '/api/sku_lists', core.tokens.admin, body)).data
  const { data } = singleOf(await core.get(`/api/sku_lists/${id}${query}`, guest))
  expect(data.attributes).toEqual({ ...attributes, description: null, manual: true, metadata: {} })
  expect(Object.keys(data.relationships ?? {}).toSorted()).toEqual(['sku_list_items', 'skus'])
  const absent = await core.get(`/api/sku_lists/${encodeId('sku_lists', 999)}${query}`, guest)
  expect([absent.status, errorsOf(absent)[0]?.status]).toEqual([404, '404'])
})

test('10: numbers and booleans that are sent as texts are taken', async () => {
  const order = await begin(guest)
  const { attributes } = singleOf(await add(guest, order, { sku_code: 'SKU-A', quantity: '1' })).data
  expect(attributes['quantity']).toBe(1)
  const sku = {
    code: 'CLI',
    name: 'Sent as text',
    weight: '180.0',
    unit_of_weight: 'gr',
    do_not_ship: 'false',
  }
  const category = one('shipping_categories', 1)
  const made = singleOf(await create('skus', core.tokens.admin, sku, { shipping_category: category })).data
  expect(made.attributes).toMatchObject({ weight: 180, do_not_ship: false })
})

describe('11: an order of somebody without a password is a guest’s', () => {
  const guestOf = async (order: string) =>
    singleOf(await core.get(`/api/orders/${order}`, core.tokens.admin)).data.attributes['guest']

  it('whoever made it, so that a guest opens its checkout', async () => {
    const order = await draft({ customer_email: 'new@example.com' })
    expect(await guestOf(order)).toBe(true)
    expect((await core.get(`/api/orders/${order}`, guest)).status).toBe(200)
  })

  it('and of a customer with a password it is not', async () => {
    await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE id = 1 AND environment_id = 1`)
    const byEmail = await draft({ customer_email: 'ada@example.com' })
    const byCustomer = await begin(
      core.tokens.admin,
      {},
      { market: one('markets', 1), customer: one('customers', 1) },
    )
    for (const order of [byEmail, byCustomer]) {
      expect(await guestOf(order)).toBe(false)
      expect((await core.get(`/api/orders/${order}`, guest)).status).toBe(401)
    }
  })

  it('also when the customer comes later, or is another one', async () => {
    await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE id = 1 AND environment_id = 1`)
    const order = await draft()
    for (const [customer_email, expected] of [
      ['new@example.com', true],
      ['ada@example.com', false],
      ['new@example.com', true],
    ] as const) {
      await patch(order, core.tokens.admin, { customer_email })
      expect(await guestOf(order)).toBe(expected)
    }
  })

  it('and stays so for a guest who names somebody with a password', async () => {
    await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE id = 1 AND environment_id = 1`)
    const order = await guestCart('ada@example.com')
    expect(await guestOf(order)).toBe(true)
    expect((await core.get(`/api/orders/${order}`, guest)).status).toBe(200)
  })

  it('unless the request says otherwise, and never of a customer’s own token', async () => {
    expect(await guestOf(await draft({ customer_email: 'new@example.com', guest: false }))).toBe(false)
    expect(await guestOf(await begin(ada))).toBe(false)
  })
})

test('12: subscriptions to orders of the customer are an empty list', async () => {
  const path = `/api/customers/${encodeId('customers', 1)}`
  expect(listOf(await core.get(`${path}/order_subscriptions`, ada)).data).toEqual([])
  const seen = singleOf(await core.get(`${path}?include=order_subscriptions`, ada)).data
  expect(seen.relationships?.['order_subscriptions']?.data).toEqual([])
})

describe('13: the group of a customer is included by the customer', () => {
  it('who is in it', async () => {
    const vip = await core.tokens.mint(customer(2, [1]))
    await core.pool.query('UPDATE customers SET customer_group_id = 1 WHERE id = 2 AND environment_id = 1')
    const path = `/api/customers/${encodeId('customers', 2)}?include=customer_group`
    expect(includedOf(singleOf(await core.get(path, vip)), 'customer_groups')[0]?.attributes).toMatchObject({
      name: 'VIP',
    })
  })

  it('who is in none', async () => {
    await core.pool.query('UPDATE customers SET customer_group_id = NULL WHERE id = 1')
    const path = `/api/customers/${encodeId('customers', 1)}?include=customer_group`
    const { data } = singleOf(await core.get(path, ada))
    expect(data.relationships?.['customer_group']?.data).toBe(null)
  })
})
