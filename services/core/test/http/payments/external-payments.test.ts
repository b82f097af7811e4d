/** Gateways of a shop's own and what is paid with them, as far as nothing has to be called. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('external_payments')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const PASSWORD = 'hush'
const { freeShipping, payable, ok, patch } = paymentCalls(() => core)
const { changeOrder, setOrder } = orderCalls(() => core)

const create = (type: string, attributes: Body, relationships: Body = {}, token = core.tokens.admin) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const newGateway = async (attributes: Body = {}): Promise<string> =>
  singleOf(await create('external_gateways', { name: 'Own', ...attributes })).data.id

const newMethod = async (gateway: string): Promise<string> => {
  const attributes = { payment_source_type: 'external_payments', price_amount_cents: 0 }
  const payment_gateway = linkTo('external_gateways', gateway)
  const links = { market: one('markets', 1), payment_gateway }
  return singleOf(await create('payment_methods', attributes, links)).data.id
}

/** A cart that is to be paid with a new gateway. */
const cart = async () => {
  const order = await payable()
  const gateway = await newGateway()
  const method = await newMethod(gateway)
  ok(await changeOrder(order, { _nullify_payment_source: true }))
  ok(await changeOrder(order, {}, { payment_method: linkTo('payment_methods', method) }))
  return { order, gateway, method }
}

const payWith = (order: string, attributes: Body = {}, token = core.tokens.admin) =>
  create(
    'external_payments',
    { payment_source_token: 'tok_1', ...attributes },
    { order: linkTo('orders', order) },
    token,
  )

describe('an external gateway', () => {
  it('has addresses, a secret of its own, and is among all gateways', async () => {
    const addresses = { authorize_url: 'https://pay.example.com/authorize', token_url: null }
    const id = await newGateway(addresses)
    const first = attributesOf(await core.get(`/api/external_gateways/${id}`, core.tokens.admin))
    expect(first).toMatchObject({
      ...addresses,
      force_payments: false,
      circuit_state: 'closed',
      circuit_failure_count: 0,
      external_includes: expect.arrayContaining(['order.line_items.item']) as unknown,
    })
    expect(String(first['shared_secret'])).toMatch(/^[0-9a-f]{64}$/)
    const second = attributesOf(ok(await patch('external_gateways', id, { _regenerate_shared_secret: true })))
    expect(second['shared_secret']).not.toBe(first['shared_secret'])
    await core.pool.query("UPDATE payment_gateways SET circuit_state = 'open', circuit_failure_count = 31")
    expect(attributesOf(ok(await patch('external_gateways', id, { _reset_circuit: true })))).toMatchObject({
      circuit_state: 'closed',
      circuit_failure_count: 0,
    })
    const all = listOf(await core.get('/api/payment_gateways', core.tokens.admin)).data
    expect(all.map(({ type }) => type)).toEqual(['manual_gateways', 'external_gateways'])
    expect((await core.get(`/api/manual_gateways/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it('shows its secret to confidential credentials, and no table has it', async () => {
    const id = await newGateway()
    const secretOf = async (): Promise<string> =>
      String(attributesOf(await core.get(`/api/external_gateways/${id}`, core.tokens.admin))['shared_secret'])
    const secret = await secretOf()
    expect(await secretOf()).toBe(secret)
    const { rows } = await core.pool.query<{ text: string }>(
      `SELECT payment_gateways::text AS text FROM payment_gateways
       UNION ALL SELECT versions::text FROM versions UNION ALL SELECT events::text FROM events`,
    )
    expect(rows.map(({ text }) => text).join()).not.toContain(secret)
  })

  it('is refused with an address that holds a password, which no answer repeats', async () => {
    const refused = await create('external_gateways', {
      name: 'Own',
      void_url: `https://me:${PASSWORD}@pay.example.com/`,
    })
    expect(at(refused)).toEqual([['422', '/data/attributes/void_url', 'invalid']])
    expect(JSON.stringify(refused.body)).not.toContain(PASSWORD)
    const id = await newGateway({ void_url: 'https://pay.example.com/void' })
    expect(at(await patch('external_gateways', id, { void_url: 'https://me@pay.example.com/' }))).toEqual([
      ['422', '/data/attributes/void_url', 'invalid'],
    ])
  })

  it('is refused with an internal address', async () => {
    const addresses = { authorize_url: 'http://169.254.169.254/', capture_url: 'http://localhost/' }
    expect(at(await create('external_gateways', { name: 'Own', ...addresses }))).toEqual([
      ['422', '/data/attributes/authorize_url', 'invalid'],
      ['422', '/data/attributes/capture_url', 'invalid'],
    ])
  })

  it('is refused without a name or with an address that is none', async () => {
    expect(at(await create('external_gateways', { capture_url: 'somewhere' }))).toEqual([
      ['422', '/data/attributes/name', 'blank'],
      ['422', '/data/attributes/capture_url', 'invalid'],
    ])
  })

  it('stays while it is used, and is closed to shop fronts', async () => {
    const { gateway } = await cart()
    const path = `/api/external_gateways/${gateway}`
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(423)
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await core.get(path, token)).status).toBe(401)
  })
})

describe('an external payment', () => {
  it('becomes the source of its order, of the gateway of its payment method', async () => {
    const { order, gateway } = await cart()
    await setOrder(order, 'guest = true')
    const guest = await core.tokens.mint(salesChannel([1]))
    const { id, attributes } = singleOf(await payWith(order, { options: { a: 1 } }, guest)).data
    expect(attributes).toMatchObject({ payment_source_token: 'tok_1', options: { a: 1 } })
    const path = `/api/external_payments/${id}?include=payment_gateway,order,wallet`
    const { included = [] } = singleOf(await core.get(path, core.tokens.admin))
    expect(included.map((each) => [each.type, each.id])).toEqual(
      expect.arrayContaining([
        ['external_gateways', gateway],
        ['orders', order],
      ]),
    )
    const listed = await core.get(`/api/external_gateways/${gateway}/external_payments`, core.tokens.admin)
    expect(listOf(listed).data.map((each) => each.id)).toEqual([id])
  })

  it('cannot be authorized by a gateway without the address, which is said', async () => {
    const { order } = await cart()
    ok(await payWith(order))
    for (const trigger of ['_authorize', '_place'])
      expect(errorsOf(await changeOrder(order, { [trigger]: true }))).toMatchObject([
        {
          title: 'cannot be done: the gateway has no authorize_url',
          source: { pointer: '/data/relationships/payment_source' },
        },
      ])
  })

  it('is kept in the wallet and used again, with its own gateway alone', async () => {
    const { order, method } = await cart()
    const { id } = singleOf(await payWith(order)).data
    ok(await changeOrder(order, { _save_payment_source_to_customer_wallet: true }))
    const wallet = singleOf(await core.get(`/api/external_payments/${id}/wallet`, core.tokens.admin)).data.id
    const again = await payable()
    ok(await changeOrder(again, { _nullify_payment_source: true }))
    const other = await newMethod(await newGateway())
    ok(await changeOrder(again, {}, { payment_method: linkTo('payment_methods', other) }))
    expect(errorsOf(await changeOrder(again, { _customer_payment_source_id: wallet }))).toMatchObject([
      { title: 'is of another payment gateway than the payment method of the order' },
    ])
    ok(await changeOrder(again, {}, { payment_method: linkTo('payment_methods', method) }))
    ok(await changeOrder(again, { _customer_payment_source_id: wallet }))
    const copies = listOf(
      await core.get('/api/external_payments?filter[q][payment_source_token_eq]=tok_1', core.tokens.admin),
    )
    expect(copies.meta.record_count).toBe(2)
    ok(await changeOrder(again, {}, { payment_method: linkTo('payment_methods', other) }))
    expect(errorsOf(await changeOrder(again, { _authorize: true }))).toMatchObject([
      { title: 'is of another payment gateway than the payment method of the order' },
    ])
  })

  it('needs a token that is no card number, which stays', async () => {
    const { order } = await cart()
    expect(at(await payWith(order, { payment_source_token: null }))).toEqual([
      ['422', '/data/attributes/payment_source_token', 'blank'],
    ])
    expect(at(await payWith(order, { payment_source_token: '4242424242424242' }))).toEqual([
      ['422', '/data/attributes/payment_source_token', 'invalid'],
    ])
    const { id } = singleOf(await payWith(order)).data
    expect((await patch('external_payments', id, { payment_source_token: 'tok_2' })).status).toBe(400)
    expect((await payWith(encodeId('orders', 2))).status).toBe(422)
  })
})

describe('external_includes of every type that has them', () => {
  const own = (external_includes: unknown, attributes: Body) => ({
    name: 'Own',
    ...attributes,
    external_includes,
  })
  const method = { scheme: 'flat', currency_code: 'EUR', price_amount_cents: 0 }
  const calculator = { tax_calculator_url: 'https://tax.example.com/' }

  it.each([
    ['shipping_methods', method, ['order.customer', 'stock_location']],
    ['external_tax_calculators', calculator, ['customer', 'shipments.shipping_method']],
    ['external_gateways', {}, ['order.market', 'captures', 'reference_authorization', 'payment_gateway']],
  ])('of %s are those of its documents', async (type, attributes, paths) => {
    expect(singleOf(await create(type, own(paths, attributes))).data.attributes['external_includes']).toEqual(
      paths,
    )
    const refused = await create(type, own([...paths, 'order.nothing.at'], attributes))
    expect(at(refused)).toEqual([['422', '/data/attributes/external_includes', 'invalid']])
    expect(errorsOf(refused)[0]?.title).toMatch(
      /cannot include "[a-z]+" \(of "order\.nothing\.at"\); allowed: .*market/,
    )
    const notText = await create(type, own([...paths, 7], attributes))
    expect(errorsOf(notText)[0]?.title).toBe('must be a list of paths, such as "market"')
  })

  it('of a market are those of its prices or of its validations', async () => {
    const market = encodeId('markets', 1)
    ok(
      await patch('markets', market, { external_includes: ['order.tags', 'item', 'line_items', 'customer'] }),
    )
    const refused = await patch('markets', market, { external_includes: ['nothing'] })
    expect(errorsOf(refused).map(({ title }) => title)).toEqual([
      expect.stringMatching(
        /^line_items cannot include .* allowed: .*; orders cannot include .* allowed: .*/,
      ),
    ])
  })
})
