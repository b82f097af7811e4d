/** The wallet of a customer: kept from orders, used for later ones, seen and changed by its customer alone. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore
let ada: string
let vip: string

beforeAll(async () => {
  core = await openCore('wallet')
  ada = await core.tokens.mint(customer(1, [1]))
  vip = await core.tokens.mint(customer(2, [1]))
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, pay, move, ok, patch, statusesOf } = paymentCalls(() => core)
const { draft, add, changeOrder, setOrder } = orderCalls(() => core)

const SAVE = { _save_payment_source_to_customer_wallet: true }
const TYPE = 'customer_payment_sources'

const walletOf = async (number: number, token = core.tokens.admin) => {
  const path = `/api/customers/${encodeId('customers', number)}/${TYPE}?include=payment_source,payment_method`
  return listOf(await core.get(path, token)).data
}

const sourceOf = async (order: string) =>
  singleOf(await core.get(`/api/orders/${order}?include=payment_source`, core.tokens.admin)).included?.[0]

/** Ada's order, whose source says more than that it is a transfer, in her wallet. */
const kept = async (instrument: Body = { issuer: 'Bank' }) => {
  const order = await payable()
  const source = String((await sourceOf(order))?.id)
  await core.pool.query('UPDATE wire_transfers SET payment_instrument = $2 WHERE id = $1', [
    decodeId('wire_transfers', source),
    instrument,
  ])
  ok(await changeOrder(order, SAVE))
  const [entry] = await walletOf(1)
  return { order, source, entry: String(entry?.id) }
}

/** Without a source. */
const unpaid = async (): Promise<string> => {
  const order = await payable()
  ok(await changeOrder(order, { _nullify_payment_source: true }))
  return order
}

const use = (order: string, entry: string, token = core.tokens.admin) =>
  patch('orders', order, { _customer_payment_source_id: entry }, token)

const create = (relationships: Body, attributes: Body = {}, token = core.tokens.admin) =>
  core.send('POST', `/api/${TYPE}`, token, { data: { type: TYPE, attributes, relationships } })

describe('an order keeps its source in the wallet', () => {
  it('once, with its payment method and a name', async () => {
    const { order, source } = await kept()
    ok(await changeOrder(order, SAVE))
    const wallet = await walletOf(1)
    expect(wallet.map(({ attributes }) => attributes['name'])).toEqual(['Wire Transfers'])
    expect(wallet[0]?.relationships).toMatchObject({
      payment_source: { data: { type: 'wire_transfers', id: source } },
      payment_method: { data: { id: encodeId('payment_methods', 1) } },
    })
  })

  it('also with the request that places it', async () => {
    const order = await payable()
    ok(await changeOrder(order, { ...SAVE, _place: true }))
    expect((await statusesOf(order))[0]).toBe('placed')
    expect(await walletOf(1)).toHaveLength(1)
  })

  it('once for orders that are paid in the same way, also at the same time', async () => {
    const orders = [await payable(), await payable(), await payable()]
    await Promise.all(orders.map((order) => changeOrder(order, SAVE)))
    expect(await walletOf(1)).toHaveLength(1)
  })

  it('not without a source or a customer', async () => {
    expect(errorsOf(await changeOrder(await unpaid(), SAVE))).toMatchObject([
      { title: 'needs an order with a payment source', meta: { error: 'blank' } },
    ])
    expect(errorsOf(await changeOrder(await draft(), SAVE))).toMatchObject([
      { title: 'needs an order with a customer' },
    ])
  })

  it('not for a guest in the name of somebody with a password', async () => {
    await core.pool.query("UPDATE customers SET password_hash = 'x' WHERE id = 1")
    const order = await payable()
    await setOrder(order, 'guest = true')
    const guest = await core.tokens.mint(salesChannel([1]))
    expect(at(await patch('orders', order, SAVE, guest))).toEqual([
      ['422', '/data/attributes/_save_payment_source_to_customer_wallet', 'not_allowed'],
    ])
  })
})

describe('an order is paid from the wallet', () => {
  it('by its customer, with a copy of its own, once', async () => {
    const { entry, source } = await kept()
    const order = await unpaid()
    ok(await use(order, entry, ada))
    const copy = await sourceOf(order)
    expect(copy?.id).not.toBe(source)
    expect(copy?.attributes['payment_instrument']).toEqual({ issuer: 'Bank' })
    ok(await use(order, entry, ada))
    expect((await sourceOf(order))?.id).toBe(copy?.id)
    await move(order, '_place')
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
    ok(await changeOrder(order, SAVE))
    expect(await walletOf(1)).toHaveLength(1)
  })

  it('and authorized by the same request', async () => {
    const { entry } = await kept()
    const order = await unpaid()
    ok(await changeOrder(order, { _customer_payment_source_id: entry, _authorize: true }))
    expect(await statusesOf(order)).toEqual(['pending', 'authorized', 'unfulfilled'])
  })

  it('from none but that of its customer', async () => {
    const { entry } = await kept()
    const order = await unpaid()
    await setOrder(order, 'customer_id = 2')
    expect(errorsOf(await use(order, entry))).toMatchObject([
      { title: 'is of another customer than the order', meta: { error: 'invalid' } },
    ])
    for (const token of [vip, ada]) {
      const answer = await use(order, entry, token)
      expect([answer.status === 200, token === vip ? at(answer) : []]).toEqual([
        false,
        token === vip ? [['422', '/data/attributes/_customer_payment_source_id', 'noent']] : [],
      ])
    }
    expect(at(await use(order, 'xxxxxxxxxx'))).toEqual([
      ['422', '/data/attributes/_customer_payment_source_id', 'noent'],
    ])
  })

  it('not with what has no source, or does not fit the payment method', async () => {
    const { entry } = await kept()
    const empty = singleOf(await create({ customer: one('customers', 1) }, { payment_source_token: 't' }))
    const order = await unpaid()
    expect(at(await use(order, empty.data.id))).toEqual([
      ['422', '/data/attributes/_customer_payment_source_id', 'blank'],
    ])
    await core.pool.query("UPDATE payment_methods SET payment_source_type = 'external_payments' WHERE id = 1")
    expect(at(await use(order, entry))).toEqual([
      ['422', '/data/attributes/_customer_payment_source_id', 'invalid'],
    ])
  })

  it('not while money depends on another source, nor with one beside it', async () => {
    const { entry } = await kept()
    const order = await payable()
    ok(await changeOrder(order, { _authorize: true }))
    expect(at(await use(order, entry))).toEqual([
      ['422', '/data/attributes/_customer_payment_source_id', 'not_editable'],
    ])
    const both = { _customer_payment_source_id: entry, _nullify_payment_source: true }
    expect(at(await changeOrder(await unpaid(), both))).toEqual([
      ['422', '/data/attributes/_customer_payment_source_id', 'invalid'],
    ])
  })
})

test('an order lists what of the wallet it can be paid with', async () => {
  const { entry } = await kept()
  const order = await unpaid()
  const available = async (token: string) =>
    (
      singleOf(await core.get(`/api/orders/${order}?include=available_customer_payment_sources`, token))
        .included ?? []
    ).map(({ id }) => id)
  expect(await available(ada)).toEqual([entry])
  await core.pool.query('UPDATE payment_methods SET disabled_at = now() WHERE id = 1')
  expect(await available(core.tokens.admin)).toEqual([])
})

describe('an entry', () => {
  it('is seen and changed by its customer alone', async () => {
    const { entry } = await kept()
    expect(listOf(await core.get(`/api/${TYPE}`, ada)).data.map(({ id }) => id)).toEqual([entry])
    expect(listOf(await core.get(`/api/${TYPE}`, vip)).meta.record_count).toBe(0)
    const path = `/api/${TYPE}/${entry}`
    expect((await core.get(path, vip)).status).toBe(401)
    expect((await patch(TYPE, entry, { reference: 'x' }, vip)).status).toBe(401)
    expect((await core.send('DELETE', path, vip)).status).toBe(401)
    const guest = await core.tokens.mint(salesChannel([1]))
    for (const token of [guest, core.tokens.otherOrganization])
      expect((await core.get(path, token)).status).not.toBe(200)
    expect(attributesOf(ok(await patch(TYPE, entry, { reference: 'mine' }, ada)))['reference']).toBe('mine')
    expect((await core.send('DELETE', path, ada)).status).toBe(204)
  })

  it('cannot be given to another customer, nor have the source of one', async () => {
    const { entry } = await kept()
    const change = (relationships: Body, token: string) =>
      core.send('PATCH', `/api/${TYPE}/${entry}`, token, { data: { type: TYPE, id: entry, relationships } })
    expect(at(await change({ customer: one('customers', 2) }, ada))).toEqual([
      ['422', '/data/relationships/customer', 'noent'],
    ])
    const others = await draft({ customer_email: 'vip@example.com' })
    ok(await add(core.tokens.admin, others, { sku_code: 'SKU-A', quantity: 1 }))
    ok(await changeOrder(others, {}, { payment_method: one('payment_methods', 1) }))
    const source = linkTo('wire_transfers', singleOf(await pay(others)).data.id)
    expect(at(await change({ payment_source: source }, ada))).toEqual([
      ['422', '/data/relationships/payment_source', 'noent'],
    ])
    expect(errorsOf(await change({ payment_source: source }, core.tokens.admin))).toMatchObject([
      { title: 'is of no order of the customer' },
    ])
  })

  it('is made by the shop, not by shop fronts', async () => {
    const links = { customer: one('customers', 1), payment_method: one('payment_methods', 1) }
    expect((await create(links, {}, ada)).status).toBe(401)
    const tokens = { customer_token: 'cus_1', payment_source_token: 'pm_1' }
    const { data } = singleOf(await create(links, tokens))
    expect(data.attributes).toMatchObject({ ...tokens, name: null })
    expect(at(await create({}))).toEqual([['422', '/data/relationships/customer', 'blank']])
    const stripe = { payment_source: { data: { type: 'stripe_payments', id: 'xxxxxxxxxx' } } }
    expect(at(await create({ ...links, ...stripe }))).toEqual([
      ['422', '/data/relationships/payment_source', 'noent'],
    ])
  })

  it.each(['customer_token', 'payment_source_token'])('has no card number as %s', async (name) => {
    const response = await create({ customer: one('customers', 1) }, { [name]: '4242 4242 4242 4242' })
    expect(errorsOf(response)).toMatchObject([
      {
        title: 'is the number of a card; send the token that the gateway gave for it',
        source: { pointer: `/data/attributes/${name}` },
      },
    ])
  })

  it('goes with the order that its source is of, and with its customer', async () => {
    const { order } = await kept()
    expect((await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)).status).toBe(204)
    expect(await walletOf(1)).toEqual([])
  })
})
