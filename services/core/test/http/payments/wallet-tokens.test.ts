/** `token_url`: the gateway gives a wallet entry its own tokens, and later orders are placed with them in one request. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { at, linkTo, orderCalls } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'
import { openShopService } from '../support/shop-service.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('wallet_tokens', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, payable, ok, patch, move, statusesOf } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)
const { openShop, cart, booked } = bankCalls(
  () => core,
  () => shop,
)

const SAVE = { _save_payment_source_to_customer_wallet: true }

const wallet = async () =>
  listOf(await core.get('/api/customer_payment_sources?include=payment_source', core.tokens.admin)).data

const tokensAsked = () => shop.bank.asked.filter(({ path }) => path === '/token')

const circuit = async () =>
  singleOf(await core.get(`/api/external_gateways/${shop.gateway}`, core.tokens.admin)).data.attributes[
    'circuit_failure_count'
  ]

/** Another order of the customer, that can be paid like the first but has no source yet. */
const like = async (first: string): Promise<string> => {
  const path = `/api/orders/${first}/payment_method`
  const method = singleOf(await core.get(path, core.tokens.admin)).data.id
  const order = await payable()
  ok(await changeOrder(order, { _nullify_payment_source: true }))
  ok(await changeOrder(order, {}, { payment_method: linkTo('payment_methods', method) }))
  return order
}

/** Ada's order with its source, and her wallet entry. */
const kept = async () => {
  const order = await cart()
  ok(await changeOrder(order, SAVE))
  const [entry] = await wallet()
  return { order, entry: String(entry?.id) }
}

const sourcesOf = async (order: string): Promise<readonly unknown[]> => {
  const { rows } = await core.pool.query<{ token: string }>(
    'SELECT payment_source_token AS token FROM external_payments WHERE order_id = $1 ORDER BY id',
    [decodeId('orders', order)],
  )
  return rows.map(({ token }) => token)
}

const tagOf = async (order: string): Promise<string> =>
  (await core.get(`/api/orders/${order}`, core.tokens.admin)).headers['etag'] ?? ''

const placeIf = (tag: string, order: string, attributes: Body) =>
  core.send(
    'PATCH',
    `/api/orders/${order}`,
    core.tokens.admin,
    { data: { type: 'orders', id: order, attributes } },
    { 'If-Match': tag },
  )

const KEPT = expect.stringMatching(/^kept-/) as unknown

describe('a source that joins the wallet', () => {
  it('gets its tokens from the gateway, which is asked once', async () => {
    const { order } = await kept()
    expect((await wallet()).map(({ attributes }) => attributes)).toMatchObject([
      { payment_source_token: KEPT, customer_token: expect.stringMatching(/^customer-/) as unknown },
    ])
    const [asked] = tokensAsked()
    expect(asked).toMatchObject({
      signed: true,
      key: expect.stringMatching(/-tokens$/) as unknown,
      document: { data: { type: 'external_payments', attributes: { payment_source_token: 'tok_1' } } },
    })
    expect(asked?.document.included?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['orders', 'customers']),
    )
    ok(await changeOrder(order, SAVE))
    expect([tokensAsked().length, (await wallet()).length]).toEqual([1, 1])
  })

  it('has none where the gateway has no token_url, or gives none', async () => {
    const service = await openShopService()
    for (const token_url of [null, service.url]) {
      ok(await patch('external_gateways', shop.gateway, { token_url }))
      await kept()
    }
    await service.close()
    const tokens = (await wallet()).map(({ attributes: { payment_source_token, customer_token } }) => [
      payment_source_token,
      customer_token,
    ])
    expect([service.asked.length, tokens]).toEqual([
      1,
      [
        [null, null],
        [null, null],
      ],
    ])
  })

  it.each([
    ['drop', 1],
    ['error', 1],
    ['nonsense', 1],
    ['redirect', 1],
    ['decline', 0],
  ] as const)('stays out of it when the gateway answers %s: the order is placed', async (fault, failures) => {
    const order = await cart()
    shop.bank.setFault(({ path }) => (path === '/token' ? fault : 'none'))
    ok(await changeOrder(order, { ...SAVE, _place: true }))
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
    expect([booked(), await wallet(), tokensAsked().length]).toEqual([[['authorize', WHOLE]], [], 1])
    expect(await circuit()).toBe(failures)
    shop.bank.setFault('none')
    ok(await changeOrder(order, SAVE))
    expect((await wallet()).map(({ attributes }) => attributes['payment_source_token'])).toEqual([KEPT])
    expect(await circuit()).toBe(0)
  })

  it.each([
    ['payment_source_token', '4242 4242 4242 4242'],
    ['customer_token', '378282246310005'],
    ['customer_token', ''],
    ['payment_source_token', 7],
    ['payment_source_token', 'x'.repeat(256)],
  ])('stays out of it when its %s would be %p', async (name, value) => {
    const service = await openShopService()
    service.answer = () => ({ body: { success: true, data: { [name]: value } } })
    ok(await patch('external_gateways', shop.gateway, { token_url: service.url }))
    ok(await changeOrder(await cart(), SAVE))
    await service.close()
    expect([service.asked.length, await wallet(), await circuit()]).toEqual([1, [], 1])
  })

  it('is not asked about while the circuit is open', async () => {
    const order = await cart()
    await core.pool.query("UPDATE payment_gateways SET circuit_state = 'open', circuit_failure_count = 31")
    ok(await changeOrder(order, SAVE))
    expect([tokensAsked(), await wallet()]).toEqual([[], []])
  })
})

describe('a later order', () => {
  it('is paid with the token of the entry and placed, in one request', async () => {
    const { order: first, entry } = await kept()
    const order = await like(first)
    ok(await changeOrder(order, { _customer_payment_source_id: entry, _place: true }))
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
    expect([booked(), await sourcesOf(order)]).toEqual([[['authorize', WHOLE]], [KEPT]])
    const asked = shop.bank.asked.filter(({ path }) => path === '/authorize')
    expect(asked.map(({ document }) => document.data.attributes['payment_source_token'])).toEqual([KEPT])
    await move(order, '_approve', '_capture')
    ok(await changeOrder(order, SAVE))
    expect([tokensAsked().length, (await wallet()).length]).toEqual([1, 1])
  })

  it('is placed by a second attempt with the same copy, after the gateway said no or nothing', async () => {
    const { order: first, entry } = await kept()
    const order = await like(first)
    const both = { _customer_payment_source_id: entry, _place: true }
    shop.bank.setFault('decline')
    expect(at(await changeOrder(order, both))).toEqual([
      ['422', '/data/relationships/payment_source', 'declined'],
    ])
    shop.bank.setFault('close')
    ok(await changeOrder(order, both))
    expect(await statusesOf(order)).toEqual(['pending', 'unpaid', 'unfulfilled'])
    shop.bank.setFault('none')
    ok(await changeOrder(order, both))
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
    expect([booked(), await sourcesOf(order)]).toEqual([[['authorize', WHOLE]], [KEPT]])
  })

  it('is placed if it is what If-Match says, and left alone otherwise', async () => {
    const { order: first, entry } = await kept()
    const order = await like(first)
    const place = (tag: string) => placeIf(tag, order, { _customer_payment_source_id: entry, _place: true })
    expect((await place('"other"')).status).toBe(412)
    expect([booked(), await sourcesOf(order)]).toEqual([[], []])
    ok(await place(await tagOf(order)))
    expect([booked(), await statusesOf(order)]).toEqual([
      [['authorize', WHOLE]],
      ['placed', 'authorized', 'unfulfilled'],
    ])
  })
})
