/** Prices, taxes and validations by services of the shop's own: what they are asked, and what their answers mean. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { isSignedWith } from '../../../src/outside/signature.ts'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'
import { openShopService } from '../support/shop-service.ts'
import type { ShopService } from '../support/shop-service.ts'

let core: TestCore
let service: ShopService

beforeAll(async () => {
  core = await openCore('external_services', {}, { OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' })
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  const names = ['external_prices_errors', 'tax_calculators_errors']
  await core.pool.query('UPDATE environments SET settings = settings - $1::text[]', [names])
  service = await openShopService()
})
afterEach(() => service.close())
afterAll(() => core.close())

const { freeShipping, payable, ok, patch, move, statusesOf } = paymentCalls(() => core)
const { draft, add, change, changeOrder, orderOf } = orderCalls(() => core)

const market = encodeId('markets', 1)
const setMarket = async (attributes: Body): Promise<string> =>
  String(attributesOf(ok(await patch('markets', market, attributes)))['shared_secret'])

const setSetting = (name: string, value: boolean) =>
  core.pool.query('UPDATE environments SET settings = settings || $1 WHERE id = 1', [
    JSON.stringify({ [name]: value }),
  ])

const gives = (data: Body) => () => ({ body: { success: true, data } })
const refuses = (code: string, message: string) => () => ({
  body: { success: false, error: { code, message } },
})
const typesOf = () => service.asked[0]?.document.included?.map(({ type }) => type)

describe('external prices', () => {
  const priced = (attributes: Body = {}) => ({
    sku_code: 'SKU-A',
    quantity: 2,
    _external_price: true,
    ...attributes,
  })
  const addPriced = async (order: string) => singleOf(await add(core.tokens.admin, order, priced())).data

  it('asks for a new line once, signed, and again for another quantity', async () => {
    const secret = await setMarket({ external_prices_url: service.url })
    service.answer = gives({ sku_code: 'SKU-A', unit_amount_cents: 1234, metadata: { tier: 'gold' } })
    const order = await draft({ customer_email: 'ada@example.com' })
    const line = await addPriced(order)
    expect(line.attributes).toMatchObject({
      _external_price: true,
      unit_amount_cents: 1234,
      compare_at_amount_cents: 1234,
      total_amount_cents: 2468,
      metadata: { tier: 'gold' },
    })
    const [asked] = service.asked
    expect(service.asked).toHaveLength(1)
    expect(isSignedWith(asked?.text ?? '', secret, asked?.signature ?? '')).toBe(true)
    expect(asked?.document.data).toMatchObject({
      type: 'line_items',
      id: null,
      attributes: { sku_code: 'SKU-A', quantity: 2, _external_price: true },
    })
    expect(typesOf()).toEqual(expect.arrayContaining(['orders', 'markets', 'customers', 'skus']))
    service.answer = gives({ unit_amount_cents: 1000, compare_at_amount_cents: 1500 })
    expect(attributesOf(await change(core.tokens.admin, line.id, { quantity: 3 }))).toMatchObject({
      unit_amount_cents: 1000,
      compare_at_amount_cents: 1500,
      total_amount_cents: 3000,
    })
    expect(service.asked[1]?.document.data.id).toBe(line.id)
    ok(await change(core.tokens.admin, line.id, { reference: 'mine' }))
    expect(service.asked).toHaveLength(2)
    // back to the price of the list
    expect(attributesOf(await change(core.tokens.admin, line.id, { _external_price: false }))).toMatchObject({
      unit_amount_cents: WHOLE / 2,
    })
  })

  it('refuses the line when the service fails or says no, unless the setting lets the list decide', async () => {
    await setMarket({ external_prices_url: service.url })
    const order = await draft()
    service.answer = refuses('not_for_you', 'has no price for this customer')
    const refused = await add(core.tokens.admin, order, priced())
    expect(at(refused)).toEqual([['422', '/data/attributes/_external_price', 'not_for_you']])
    expect(errorsOf(refused)[0]?.title).toBe('has no price for this customer')
    for (const body of [
      '<h1>no</h1>',
      { success: true, data: { unit_amount_cents: -1 } },
      { success: true },
    ]) {
      service.answer = () => ({ body })
      expect(at(await add(core.tokens.admin, order, priced()))).toEqual([
        ['422', '/data/attributes/_external_price', 'failed'],
      ])
    }
    service.answer = gives({ sku_code: 'SKU-B', unit_amount_cents: 1 })
    expect((await add(core.tokens.admin, order, priced())).status).toBe(422)
    service.answer = () => ({ status: 500, body: '' })
    await setSetting('external_prices_errors', false)
    expect((await addPriced(order)).attributes).toMatchObject({ unit_amount_cents: WHOLE / 2 })
  })

  it('counts failures on the line, and asks no more when its circuit is open', async () => {
    await setMarket({ external_prices_url: service.url })
    service.answer = gives({ unit_amount_cents: 700 })
    const line = await addPriced(await draft())
    await core.pool.query('UPDATE line_items SET circuit_failure_count = 30')
    service.answer = () => ({ status: 503, body: '' })
    expect((await change(core.tokens.admin, line.id, { quantity: 3 })).status).toBe(422)
    const shown = async () => attributesOf(await core.get(`/api/line_items/${line.id}`, core.tokens.admin))
    expect(await shown()).toMatchObject({ quantity: 2, circuit_state: 'open', circuit_failure_count: 31 })
    const count = service.asked.length
    expect((await change(core.tokens.admin, line.id, { quantity: 3 })).status).toBe(422)
    expect(service.asked).toHaveLength(count)
    service.answer = gives({ unit_amount_cents: 600 })
    ok(await change(core.tokens.admin, line.id, { _reset_circuit: true }))
    ok(await change(core.tokens.admin, line.id, { quantity: 3 }))
    expect(await shown()).toMatchObject({ unit_amount_cents: 600, circuit_state: 'closed' })
  })

  it('names what the market lacks', async () => {
    expect(at(await add(core.tokens.admin, await draft(), priced()))).toEqual([
      ['422', '/data/attributes/_external_price', 'not_supported'],
    ])
  })
})

describe('external shipping costs', () => {
  const connect = async (attributes: Body = {}): Promise<string> => {
    const external = { scheme: 'external', external_prices_url: service.url, price_amount_cents: 500 }
    const id = encodeId('shipping_methods', 1)
    const shown = ok(await patch('shipping_methods', id, { ...external, ...attributes }))
    return String(attributesOf(shown)['shared_secret'])
  }
  const shippingOf = async (order: string) => (await orderOf(order))['shipping_amount_cents']
  const methodRow = async () =>
    attributesOf(
      await core.get(`/api/shipping_methods/${encodeId('shipping_methods', 1)}`, core.tokens.admin),
    )
  const shipmentOf = async (order: string) =>
    listOf(await core.get(`/api/orders/${order}/shipments`, core.tokens.admin)).data[0]

  it('are asked when a shipment gets the method and when its order changes, not when methods are listed', async () => {
    const secret = await connect({ external_includes: ['order.market'] })
    service.answer = gives({ price_amount_cents: 1234, metadata: { carrier: 'bike' } })
    const order = await payable()
    expect(await shippingOf(order)).toBe(1234)
    const first = await shipmentOf(order)
    expect(first?.attributes['metadata']).toEqual({ carrier: 'bike' })
    const [asked] = service.asked
    expect(isSignedWith(asked?.text ?? '', secret, asked?.signature ?? '')).toBe(true)
    // the shipment is not stored yet
    expect(asked?.document.data).toMatchObject({ type: 'shipments', id: null, attributes: { skus_count: 2 } })
    expect(typesOf()).toEqual(expect.arrayContaining(['orders', 'shipping_methods', 'markets']))
    service.answer = gives({ price_amount_cents: 2000 })
    ok(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
    expect(await shippingOf(order)).toBe(2000)
    const again = service.asked.at(-1)?.document
    expect(again?.data.id).toBe(first?.id)
    expect(again?.included?.find(({ type }) => type === 'orders')?.attributes).toMatchObject({
      subtotal_amount_cents: 15_000,
    })
    const count = service.asked.length
    const path = `/api/shipments/${String(first?.id)}/available_shipping_methods`
    const [listed] = listOf(await core.get(path, core.tokens.admin)).data
    expect(listed?.attributes['price_amount_for_shipment_cents']).toBe(500)
    expect(service.asked).toHaveLength(count)
  })

  it('are asked when a shipment is given the method by hand', async () => {
    const order = await payable()
    await connect()
    await core.pool
      .query(`INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents)
      VALUES (9, 1, 'Courier', 'EUR', 300)`)
    const shipment = String((await shipmentOf(order))?.id)
    const choose = (method: number) =>
      core.send('PATCH', `/api/shipments/${shipment}`, core.tokens.admin, {
        data: {
          type: 'shipments',
          id: shipment,
          relationships: { shipping_method: one('shipping_methods', method) },
        },
      })
    ok(await choose(9))
    expect([await shippingOf(order), service.asked]).toEqual([300, []])
    service.answer = gives({ price_amount_cents: 77, metadata: { carrier: 'van' } })
    expect(attributesOf(ok(await choose(1)))['metadata']).toEqual({ carrier: 'van' })
    expect(await shippingOf(order)).toBe(77)
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.document.data).toMatchObject({ type: 'shipments', id: shipment })
  })

  it('are the base price without a usable answer, counted on the method, and free where shipping is free', async () => {
    await connect()
    service.answer = refuses('too_far', 'does not go there')
    const order = await payable()
    expect([await shippingOf(order), (await methodRow())['circuit_failure_count']]).toEqual([500, 0])
    for (const [status, body] of [
      [500, ''],
      [200, '<h1>no</h1>'],
      [200, { success: true, data: { price_amount_cents: -1 } }],
      [200, { success: true, data: {} }],
    ] as const) {
      service.answer = () => ({ status, body })
      await move(order, '_refresh')
      expect(await shippingOf(order)).toBe(500)
    }
    expect(await methodRow()).toMatchObject({ circuit_failure_count: 4, circuit_state: 'closed' })
    service.answer = gives({ price_amount_cents: 900 })
    await core.pool.query("UPDATE shipping_methods SET circuit_state = 'open'")
    const count = service.asked.length
    await move(order, '_refresh')
    expect([await shippingOf(order), service.asked.length]).toEqual([500, count])
    await connect({ _reset_circuit: true })
    await move(order, '_refresh')
    expect([await shippingOf(order), service.asked.length]).toEqual([900, count + 1])
    await connect({ free_over_amount_cents: 1_000 })
    await move(order, '_refresh')
    expect([await shippingOf(order), service.asked.length]).toEqual([0, count + 1])
  })
})

describe('the validation of an order', () => {
  const errorsIn = async (order: string) =>
    listOf(await core.get(`/api/orders/${order}/resource_errors`, core.tokens.admin)).data.map(
      ({ attributes }) => attributes['message'],
    )

  it('answers 422 with what was found, keeps it until the order is approved, and blocks nothing', async () => {
    await setMarket({ external_order_validation_url: service.url })
    const order = await payable()
    service.answer = refuses('age', 'the customer is too young')
    const refused = await changeOrder(order, { _validate: true })
    expect(at(refused)).toEqual([['422', '/data/attributes/_validate', 'age']])
    expect(typesOf()).toEqual(
      expect.arrayContaining(['addresses', 'line_items', 'skus', 'markets', 'customers', 'shipments']),
    )
    expect(await orderOf(order)).toMatchObject({ validations_count: 1, errors_count: 1 })
    expect(await errorsIn(order)).toEqual(['the customer is too young'])
    await move(order, '_place', '_approve')
    expect((await statusesOf(order))[0]).toBe('approved')
    expect(await errorsIn(order)).toEqual([])
  })

  it('is 200 without errors when it succeeds, and when the service is away', async () => {
    await setMarket({ external_order_validation_url: service.url })
    const order = await payable()
    service.answer = refuses('age', 'too young')
    await changeOrder(order, { _validate: true })
    service.answer = () => ({ status: 500, body: '' })
    await move(order, '_validate')
    expect(await orderOf(order)).toMatchObject({
      validations_count: 2,
      circuit_failure_count: 1,
      errors_count: 1,
    })
    service.answer = gives({})
    await move(order, '_validate')
    expect(await orderOf(order)).toMatchObject({
      validations_count: 3,
      circuit_failure_count: 0,
      errors_count: 0,
    })
  })

  it('names what the market lacks', async () => {
    expect(at(await changeOrder(await payable(), { _validate: true }))).toEqual([
      ['422', '/data/attributes/_validate', 'not_supported'],
    ])
  })
})

describe('an external tax calculator', () => {
  const connect = async (): Promise<string> => {
    const attributes = { name: 'Own', tax_calculator_url: service.url }
    const created = await core.send('POST', '/api/external_tax_calculators', core.tokens.admin, {
      data: { type: 'external_tax_calculators', attributes },
    })
    const { id } = singleOf(created).data
    const relationships = { tax_calculator: linkTo('external_tax_calculators', id) }
    ok(
      await core.send('PATCH', `/api/markets/${market}`, core.tokens.admin, {
        data: { type: 'markets', id: market, relationships },
      }),
    )
    await core.pool.query('UPDATE orders SET tax_included = false')
    await core.pool.query('UPDATE price_lists SET tax_included = false')
    return id
  }

  it('taxes by the line amount, else the line rate, else the rate of the order', async () => {
    await connect()
    service.answer = gives({ tax_rate: 0.1, freight_taxable: true })
    const order = await payable()
    expect(await orderOf(order)).toMatchObject({
      tax_rate: 0.1,
      freight_taxable: true,
      total_tax_amount_cents: 1_000,
      total_amount_with_taxes_cents: 11_000,
    })
    const [asked] = service.asked.slice(-1)
    expect(asked?.document.data).toMatchObject({ type: 'orders' })
    expect(asked?.document.included?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['markets', 'line_items', 'skus', 'addresses']),
    )
    const byLine = (line: Body) => (question: (typeof service.asked)[number]) => {
      const goods = question.document.included?.filter(
        ({ type, attributes }) => type === 'line_items' && attributes['item_type'] === 'skus',
      )
      const line_items = goods?.map(({ id }) => ({ id, ...line }))
      return { body: { success: true, data: { tax_rate: 0.1, line_items } } }
    }
    service.answer = byLine({ tax_rate: 0.25, country_rate: 0.25 })
    await move(order, '_update_taxes')
    expect(await orderOf(order)).toMatchObject({ total_tax_amount_cents: 2_500 })
    // 9.01 is 901 cents, whatever the rate
    service.answer = byLine({ tax_rate: 0.25, tax_collectable: 9.01 })
    await move(order, '_update_taxes')
    expect(await orderOf(order)).toMatchObject({ total_tax_amount_cents: 901 })
    ok(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
    expect(await orderOf(order)).toMatchObject({ total_tax_amount_cents: 1_802 })
    await core.pool.query('UPDATE orders SET tax_included = true')
    await move(order, '_update_taxes')
    expect(await orderOf(order)).toMatchObject({
      total_tax_amount_cents: 1_802,
      total_amount_with_taxes_cents: 15_000,
    })
  })

  it('is not asked about an order without address or goods', async () => {
    await connect()
    const order = await draft({ customer_email: 'ada@example.com' })
    ok(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
    expect(service.asked).toEqual([])
  })

  it('that fails leaves the order as it was taxed, with an event; a setting makes it an error', async () => {
    const id = await connect()
    service.answer = gives({ tax_rate: 0.1 })
    const order = await payable()
    service.answer = () => ({ status: 500, body: '' })
    ok(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
    expect(await orderOf(order)).toMatchObject({ tax_rate: 0.1, subtotal_amount_cents: 15_000 })
    const { rows } = await core.pool.query("SELECT FROM events WHERE name = 'orders.tax_calculation_failed'")
    expect(rows).toHaveLength(1)
    const shown = async () =>
      attributesOf(await core.get(`/api/external_tax_calculators/${id}`, core.tokens.admin))
    expect(await shown()).toMatchObject({ circuit_failure_count: 1 })
    await setSetting('tax_calculators_errors', true)
    expect(at(await changeOrder(order, { _update_taxes: true }))).toEqual([
      ['422', '/data/attributes/tax_rate', 'tax_calculation_failed'],
    ])
    await setSetting('tax_calculators_errors', false)
    await core.pool.query("UPDATE tax_calculators SET circuit_state = 'open'")
    const count = service.asked.length
    await move(order, '_update_taxes')
    expect(service.asked).toHaveLength(count)
  })
})
