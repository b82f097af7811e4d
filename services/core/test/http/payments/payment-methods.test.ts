/** Payment methods: their currency, market and store, what they cost, and when they are offered. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('payment_methods')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, move, ok, patch, statusesOf, movementsOf } = paymentCalls(() => core)
const { changeOrder, orderOf, draft } = orderCalls(() => core)

const FREE = { payment_source_type: 'wire_transfers', price_amount_cents: 0 }
const GATEWAY = { payment_gateway: one('payment_gateways', 1) }

const create = (attributes: Body, relationships: Body = {}) =>
  core.send('POST', '/api/payment_methods', core.tokens.admin, {
    data: {
      type: 'payment_methods',
      attributes: { ...FREE, ...attributes },
      relationships: { ...GATEWAY, ...relationships },
    },
  })

const ID = encodeId('payment_methods', 1)
const set = (attributes: Body) => patch('payment_methods', ID, attributes)

describe('a payment method', () => {
  it('has the currency of its market, a name, and what was not sent as the facts say', async () => {
    const { attributes } = singleOf(await create({}, { market: one('markets', 2) })).data
    expect(attributes).toMatchObject({
      name: 'Wire Transfers',
      currency_code: 'USD',
      moto: false,
      require_capture: true,
      auto_capture: false,
      auto_place: false,
      auto_capture_max_amount_cents: null,
      disabled_at: null,
    })
  })

  it.each<[string, Body, Body, readonly [string, string]]>([
    [
      'in a currency that its market does not have',
      { currency_code: 'USD' },
      { market: one('markets', 1) },
      ['attributes/currency_code', 'invalid'],
    ],
    [
      'in a currency that its store does not have',
      { currency_code: 'USD' },
      { store: one('stores', 1) },
      ['attributes/currency_code', 'invalid'],
    ],
    [
      'of a store of another market',
      { currency_code: 'USD' },
      { market: one('markets', 2), store: one('stores', 1) },
      ['relationships/store', 'invalid'],
    ],
    ['without currency and market', {}, {}, ['attributes/currency_code', 'blank']],
    [
      'with a price below zero',
      { currency_code: 'EUR', price_amount_cents: -1 },
      {},
      ['attributes/price_amount_cents', 'greater_than_or_equal_to'],
    ],
    [
      'with a limit below zero',
      { currency_code: 'EUR', auto_capture_max_amount_cents: -1 },
      {},
      ['attributes/auto_capture_max_amount_cents', 'greater_than_or_equal_to'],
    ],
  ])('is refused %s', async (_case, attributes, relationships, [pointer, error]) => {
    expect(at(await create(attributes, relationships))).toEqual([['422', `/data/${pointer}`, error]])
  })

  it('says which currency it has to have', async () => {
    const response = await set({ currency_code: 'USD' })
    expect(response.body).toMatchObject({ errors: [{ title: 'must be EUR, the currency of its market' }] })
  })

  it('that is disabled is not offered, and places no order', async () => {
    const order = await payable()
    const offered = async (token = core.tokens.admin) =>
      (
        singleOf(await core.get(`/api/orders/${order}?include=available_payment_methods`, token)).included ??
        []
      ).map(({ id }) => id)
    expect(await offered()).toContain(ID)
    expect(attributesOf(ok(await set({ _disable: true })))['disabled_at']).not.toBeNull()
    expect(await offered()).not.toContain(ID)
    expect(at(await changeOrder(order, { _place: true }))).toEqual([
      ['422', '/data/relationships/payment_method', 'unavailable'],
    ])
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await core.get(`/api/payment_methods/${ID}`, token)).status).toBe(401)
    expect(attributesOf(ok(await set({ _enable: true })))['disabled_at']).toBeNull()
    await move(order, '_place')
    expect((await statusesOf(order))[0]).toBe('placed')
  })

  it('of the market in another currency than its price list by now is not offered', async () => {
    const order = await draft({ customer_email: 'ada@example.com' })
    await core.pool.query("UPDATE payment_methods SET currency_code = 'USD' WHERE id = 1")
    const { included = [] } = singleOf(
      await core.get(`/api/orders/${order}?include=available_payment_methods`, core.tokens.admin),
    )
    expect(included.map(({ id }) => id)).not.toContain(ID)
    const response = await changeOrder(order, {}, { payment_method: one('payment_methods', 1) })
    expect(at(response)).toEqual([['422', '/data/relationships/payment_method', 'unavailable']])
  })

  it('costs what it costs when it is chosen, and that is captured too', async () => {
    ok(await set({ price_amount_cents: 250, auto_capture: true }))
    const order = await payable()
    expect(await orderOf(order)).toMatchObject({
      payment_method_amount_cents: 250,
      total_amount_with_taxes_cents: WHOLE + 250,
    })
    ok(await set({ price_amount_cents: 300 }))
    await move(order, '_refresh')
    expect((await orderOf(order))['payment_method_amount_cents']).toBe(250)
    ok(await changeOrder(order, {}, { payment_method: one('payment_methods', 4) }))
    expect((await orderOf(order))['payment_method_amount_cents']).toBe(0)
    ok(await changeOrder(order, {}, { payment_method: one('payment_methods', 1) }))
    await move(order, '_place')
    expect(await movementsOf(order)).toEqual([
      ['authorizations', WHOLE + 300],
      ['captures', WHOLE + 300],
    ])
  })

  it.each([
    [WHOLE, 'paid'],
    [WHOLE - 1, 'authorized'],
  ])('captures at once up to %d', async (auto_capture_max_amount_cents, status) => {
    ok(await set({ auto_capture: true, auto_capture_max_amount_cents }))
    const order = await payable()
    await move(order, '_place')
    expect((await statusesOf(order))[1]).toBe(status)
  })
})
