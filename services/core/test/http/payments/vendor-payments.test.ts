/**
 * The accounts of a shop at payment vendors and what is to be paid with them: their credentials are sealed and never shown, and no
 * vendor is called, which every request that would call one says.
 */
import { decodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createSecretBox } from '../../../src/engine/secret-box.ts'
import { vendorGateways } from '../../../src/payments/vendors/vendor-gateways.ts'
import { VENDORS } from '../../../src/payments/vendors/vendors.ts'
import type { ByVendor, Vendor } from '../../../src/payments/vendors/vendors.ts'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('vendor_payments')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, ok, patch, statusesOf } = paymentCalls(() => core)
const { changeOrder, setOrder } = orderCalls(() => core)

interface Sample {
  /** Sent and never shown. */
  readonly credentials: Body
  readonly settings: Body
  /** What cannot be changed later. */
  readonly fixed?: readonly string[]
  /** What a payment needs besides its order. */
  readonly payment?: Body
  /** What would call the vendor. */
  readonly triggers?: readonly string[]
}

const PAGES = { return_url: 'https://shop.example.com/back' }

const SAMPLES: ByVendor<Sample> = {
  adyen: {
    credentials: { merchant_account: 'Hush-1', api_key: 'hush-2', public_key: 'hush-3' },
    settings: { live_url_prefix: '1797a841fbb37ca7-Shop', api_version: 70, partial_payments: true },
    triggers: ['_authorize', '_details', '_balance'],
  },
  axerve: {
    credentials: { api_key: 'hush-1' },
    settings: { login: 'GESPAY12345' },
    payment: { ...PAGES, client_ip: '203.0.113.7' },
    triggers: ['_update'],
  },
  braintree: {
    credentials: {
      merchant_account_id: 'hush-1',
      merchant_id: 'hush-2',
      public_key: 'hush-3',
      private_key: 'hush-4',
    },
    settings: { descriptor_name: 'SHOP*GOODS', descriptor_url: 'https://shop.example.com' },
    payment: { payment_id: 'p_1', local: true },
  },
  checkout_com: {
    credentials: { secret_key: 'hush-1', public_key: 'hush-2' },
    settings: {},
    payment: {
      token: 'tok_1',
      success_url: 'https://shop.example.com/yes',
      failure_url: 'https://shop.example.com/no',
    },
    triggers: ['_authorize', '_details', '_refresh'],
  },
  klarna: {
    credentials: { country_code: 'EU', api_key: 'hush-1', api_secret: 'hush-2' },
    settings: {},
    triggers: ['_update'],
  },
  paypal: {
    credentials: { client_id: 'hush-1', client_secret: 'hush-2' },
    settings: {},
    payment: { ...PAGES, cancel_url: 'https://shop.example.com/no' },
  },
  satispay: {
    credentials: {},
    settings: {},
    payment: { redirect_url: 'https://shop.example.com/back' },
    triggers: ['_refresh'],
  },
  stripe: {
    credentials: { login: 'hush-1', publishable_key: 'hush-2' },
    settings: { connected_account: 'acct_1', auto_payments: true },
    fixed: ['login', 'publishable_key'],
    payment: { stripe_id: 'pi_1', ...PAGES, options: { a: 1 } },
    triggers: ['_update', '_refresh'],
  },
}

/** Shown to confidential credentials, and sealed all the same. */
const SHOWN: Partial<ByVendor<Body>> = {
  satispay: { token: 'hush-shown' },
  adyen: { webhook_endpoint_secret: 'hush-shown' },
}

const create = (type: string, attributes: Body, relationships: Body = {}, token = core.tokens.admin) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const accountOf = (vendor: Vendor): Body => {
  const { credentials, settings } = SAMPLES[vendor]
  return { name: 'Ours', ...settings, ...credentials, ...SHOWN[vendor] }
}

const newGateway = async (vendor: Vendor): Promise<string> =>
  singleOf(await create(`${vendor}_gateways`, accountOf(vendor))).data.id

const newMethod = async (vendor: Vendor, gateway: string, source = `${vendor}_payments`): Promise<string> => {
  const attributes = { payment_source_type: source, price_amount_cents: 0 }
  const payment_gateway = linkTo(`${vendor}_gateways`, gateway)
  const links = { market: one('markets', 1), payment_gateway }
  return singleOf(await create('payment_methods', attributes, links)).data.id
}

/** A cart whose payment method is one of the vendor. */
const cart = async (vendor: Vendor) => {
  const order = await payable()
  const gateway = await newGateway(vendor)
  const method = await newMethod(vendor, gateway)
  ok(await changeOrder(order, { _nullify_payment_source: true }))
  ok(await changeOrder(order, {}, { payment_method: linkTo('payment_methods', method) }))
  return { order, gateway, method }
}

const payWith = (vendor: Vendor, order: string, token = core.tokens.admin) =>
  create(`${vendor}_payments`, SAMPLES[vendor].payment ?? {}, { order: linkTo('orders', order) }, token)

const rowOf = async (gateway: string): Promise<Body> => {
  const { rows } = await core.pool.query<Body>('SELECT * FROM payment_gateways WHERE id = $1', [
    decodeId('payment_gateways', gateway),
  ])
  return rows[0] ?? {}
}

const { open } = createSecretBox(TEST_ID_SECRET)

const openedOf = (row: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, open(row[`sealed_${name}`])]))

const NOT_CALLED = /whose vendor Merx does not call.*use external_gateways.*or manual_gateways/

describe.each(VENDORS)('the gateway of %s', (vendor) => {
  const type = `${vendor}_gateways`
  const { credentials, settings, fixed = [] } = SAMPLES[vendor]
  const secrets = { ...credentials, ...SHOWN[vendor] }

  it('keeps its credentials sealed and shows none of them', async () => {
    const { data } = singleOf(await create(type, accountOf(vendor)))
    const read = attributesOf(await core.get(`/api/${type}/${data.id}`, core.tokens.admin))
    expect(read).toMatchObject({ name: 'Ours', ...settings, disabled_at: null })
    expect(Object.keys(read)).not.toEqual(expect.arrayContaining([expect.stringContaining('sealed')]))
    for (const name of Object.keys(credentials)) expect([data.attributes, read]).not.toHaveProperty(name)
    const row = await rowOf(data.id)
    expect(openedOf(row, Object.keys(secrets))).toEqual(secrets)
    const { rows } = await core.pool.query<{ text: string }>(
      `SELECT payment_gateways::text AS text FROM payment_gateways
       UNION ALL SELECT versions::text FROM versions UNION ALL SELECT events::text FROM events`,
    )
    expect(rows.map(({ text }) => text).join()).not.toMatch(/hush/i)
    const all = listOf(await core.get('/api/payment_gateways', core.tokens.admin)).data
    expect(all.map((each) => each.type)).toEqual(['manual_gateways', type])
  })

  it('is changed, switched off and deleted', async () => {
    const id = await newGateway(vendor)
    const before = await rowOf(id)
    expect(attributesOf(ok(await patch(type, id, { name: 'Other', _disable: true })))).toMatchObject({
      name: 'Other',
      disabled_at: expect.any(String) as unknown,
    })
    const [name] = Object.keys(credentials)
    if (name !== undefined && vendor !== 'klarna') {
      const response = await patch(type, id, { [name]: 'hush-new' })
      if (fixed.includes(name)) expect(errorsOf(response)[0]?.code).toBe('PARAM_NOT_ALLOWED')
      else expect(openedOf(await rowOf(id), [name])).toEqual({ [name]: 'hush-new' })
    }
    const after = await rowOf(id)
    for (const other of Object.keys(secrets).filter((each) => each !== name))
      expect(after[`sealed_${other}`]).toBe(before[`sealed_${other}`])
    expect((await core.send('DELETE', `/api/${type}/${id}`, core.tokens.admin)).status).toBe(204)
    expect((await core.get(`/api/${type}/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it('needs its credentials, and repeats none that is refused', async () => {
    const { attributes = {} } = vendorGateways.find((each) => each.type === type) ?? {}
    const required = Object.keys(attributes).filter((name) => attributes[name]?.required)
    expect(at(await create(type, {}))).toEqual(
      required.map((name) => ['422', `/data/attributes/${name}`, 'blank']),
    )
    const [name] = Object.keys(secrets)
    const long = await create(type, { ...accountOf(vendor), [String(name)]: 'hush'.repeat(1025) })
    expect(at(long)[0]?.slice(0, 2)).toEqual(['422', `/data/attributes/${String(name)}`])
    expect(JSON.stringify(long.body)).not.toContain('hush')
  })

  it('is closed to shop fronts, and stays while it is used', async () => {
    const { order, gateway } = await cart(vendor)
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await core.get(`/api/${type}/${gateway}`, token)).status).toBe(401)
    expect((await core.send('DELETE', `/api/${type}/${gateway}`, core.tokens.admin)).status).toBe(423)
    const { id } = singleOf(ok(await payWith(vendor, order))).data
    const listed = await core.get(`/api/${type}/${gateway}/${vendor}_payments`, core.tokens.admin)
    expect(listOf(listed).data.map((each) => each.id)).toEqual([id])
  })
})

describe.each(VENDORS)('a payment of %s', (vendor) => {
  const type = `${vendor}_payments`
  const { payment = {}, triggers = [] } = SAMPLES[vendor]

  it('becomes the source of its order, and places nothing', async () => {
    const { order, gateway } = await cart(vendor)
    await setOrder(order, 'guest = true')
    const guest = await core.tokens.mint(salesChannel([1]))
    const { id, attributes } = singleOf(ok(await payWith(vendor, order, guest))).data
    expect(attributes).toMatchObject({ ...payment, payment_instrument: null })
    const path = `/api/${type}/${id}?include=payment_gateway,order.payment_source`
    const { included = [] } = singleOf(await core.get(path, core.tokens.admin))
    expect(included.map((each) => [each.type, each.id])).toEqual(
      expect.arrayContaining([
        [`${vendor}_gateways`, gateway],
        ['orders', order],
      ]),
    )
    for (const trigger of ['_place', '_authorize']) {
      const refused = await changeOrder(order, { [trigger]: true })
      expect(at(refused)).toEqual([['422', '/data/relationships/payment_source', 'not_supported']])
      expect(errorsOf(refused)[0]?.title).toMatch(NOT_CALLED)
      expect(errorsOf(refused)[0]?.title).toContain(type)
    }
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['pending', 'unpaid'])
    const { rows } = await core.pool.query('SELECT 1 FROM transactions')
    expect(rows).toEqual([])
  })

  it('is changed and deleted, and what would call the vendor is refused', async () => {
    const { order } = await cart(vendor)
    const { id } = singleOf(ok(await payWith(vendor, order))).data
    expect(attributesOf(ok(await patch(type, id, { reference: 'r-1' })))['reference']).toBe('r-1')
    for (const trigger of triggers) {
      const refused = await patch(type, id, { [trigger]: true, reference: 'r-2' })
      expect(at(refused)).toEqual([['422', `/data/attributes/${trigger}`, 'not_supported']])
      expect(errorsOf(refused)[0]?.title).toMatch(NOT_CALLED)
    }
    expect(attributesOf(await core.get(`/api/${type}/${id}`, core.tokens.admin))['reference']).toBe('r-1')
    expect((await core.send('DELETE', `/api/${type}/${id}`, core.tokens.admin)).status).toBe(204)
    const { included } = singleOf(
      await core.get(`/api/orders/${order}?include=payment_source`, core.tokens.admin),
    )
    expect(included).toEqual([])
  })
})

describe('payments of vendors', () => {
  it('are refused by the gateway too, whatever the source', async () => {
    const order = await payable()
    const method = await newMethod('stripe', await newGateway('stripe'), 'wire_transfers')
    ok(await changeOrder(order, {}, { payment_method: linkTo('payment_methods', method) }))
    for (const trigger of ['_place', '_authorize']) {
      const refused = await changeOrder(order, { [trigger]: true })
      expect(at(refused)).toEqual([['422', '/data/relationships/payment_source', 'not_supported']])
      expect(errorsOf(refused)[0]?.title).toContain('stripe_gateways')
    }
  })

  it('are refused by the source too, whatever the gateway', async () => {
    const order = await payable()
    const links = { market: one('markets', 1), payment_gateway: one('payment_gateways', 1) }
    const attributes = { payment_source_type: 'stripe_payments', price_amount_cents: 0 }
    const { id } = singleOf(await create('payment_methods', attributes, links)).data
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    ok(await changeOrder(order, {}, { payment_method: linkTo('payment_methods', id) }))
    ok(await payWith('stripe', order))
    for (const trigger of ['_place', '_authorize'])
      expect(errorsOf(await changeOrder(order, { [trigger]: true }))[0]?.title).toMatch(NOT_CALLED)
  })

  it('stop no order that costs nothing', async () => {
    await core.pool.query('UPDATE prices SET amount_cents = 0 WHERE id = 1')
    const { order } = await cart('paypal')
    ok(await payWith('paypal', order))
    ok(await changeOrder(order, { _place: true }))
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['placed', 'free'])
  })

  it('of an order that was imported as paid cannot be refunded, which is said', async () => {
    const { order } = await cart('klarna')
    ok(await payWith('klarna', order))
    await setOrder(order, "status = 'approved', payment_status = 'paid'")
    const refused = await changeOrder(order, { _refund: true })
    expect(errorsOf(refused)[0]?.title).toMatch(NOT_CALLED)
    expect(errorsOf(refused)[0]?.title).toContain('klarna_gateways')
  })

  it('hold no number of a card', async () => {
    const { order } = await cart('checkout_com')
    const attributes = { ...SAMPLES.checkout_com.payment, token: '4242424242424242' }
    const refused = await create('checkout_com_payments', attributes, { order: linkTo('orders', order) })
    expect(at(refused)).toEqual([['422', '/data/attributes/token', 'invalid']])
  })

  it('show the sealed secret of a gateway to confidential credentials alone', async () => {
    for (const vendor of ['adyen', 'satispay'] as const) {
      const id = await newGateway(vendor)
      const read = attributesOf(await core.get(`/api/${vendor}_gateways/${id}`, core.tokens.admin))
      expect(read).toMatchObject(SHOWN[vendor] ?? {})
    }
  })
})

test('Adyen needs the secret of its notifications when it relies on them', async () => {
  const asynchronous = { ...accountOf('adyen'), async_api: true, webhook_endpoint_secret: null }
  expect(at(await create('adyen_gateways', asynchronous))).toEqual([
    ['422', '/data/attributes/webhook_endpoint_secret', 'blank'],
  ])
  const id = await newGateway('adyen')
  ok(await patch('adyen_gateways', id, { async_api: true }))
  expect(at(await patch('adyen_gateways', id, { webhook_endpoint_secret: null }))).toEqual([
    ['422', '/data/attributes/webhook_endpoint_secret', 'blank'],
  ])
})

test.each([
  ['adyen', { api_version: 65 }, 'api_version', 'greater_than_or_equal_to'],
  ['adyen', { order_expiration_mins: 0 }, 'order_expiration_mins', 'greater_than_or_equal_to'],
  ['braintree', { descriptor_name: 'x'.repeat(23) }, 'descriptor_name', 'too_long'],
  ['klarna', { country_code: 'IT' }, 'country_code', 'inclusion'],
] as const)('%s is refused with %j', async (vendor, attributes, name, error) => {
  expect(at(await create(`${vendor}_gateways`, { ...accountOf(vendor), ...attributes }))).toEqual([
    ['422', `/data/attributes/${name}`, error],
  ])
})
