/** What becomes of an order when its lines, its market or its payment method change (lifecycles.md 1.2, 1.7). */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('order_amounts')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, draft, add, change, changeOrder, remove, orderOf, setOrder } = orderCalls(() => core)

describe('the status of an order', () => {
  it('is pending with somebody who orders and something to order, else draft', async () => {
    const order = await draft()
    const statusOf = async () => (await orderOf(order))['status']
    const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data
    expect(await statusOf()).toBe('draft')
    await changeOrder(order, { customer_email: 'me@example.com' })
    expect(await statusOf()).toBe('pending')
    await changeOrder(order, { customer_email: null }, { customer: { data: null } })
    expect(await statusOf()).toBe('draft')
    await changeOrder(order, {}, { customer: one('customers', 1) })
    expect(await statusOf()).toBe('pending')
    await remove(core.tokens.admin, id)
    expect(await statusOf()).toBe('draft')
  })

  it('stays what it is while the order is edited', async () => {
    const order = await draft()
    const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data
    await setOrder(order, "status = 'editing'")
    await remove(core.tokens.admin, id)
    expect(await orderOf(order)).toMatchObject({ status: 'editing', total_amount_cents: 0 })
  })
})

describe('the payment method of an order', () => {
  const methodLine = async (order: string) =>
    listOf(
      await core.get(
        `/api/orders/${order}/line_items?filter[q][item_type_eq]=payment_methods`,
        core.tokens.admin,
      ),
    ).data.map(({ attributes }) => [attributes['name'], attributes['unit_amount_cents']])

  it('is a line with its price, replaced and removed with it', async () => {
    await core.pool.query('UPDATE payment_methods SET price_amount_cents = 150 WHERE id = 4')
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    await changeOrder(order, {}, { payment_method: one('payment_methods', 1) })
    expect(await methodLine(order)).toEqual([['Wire EU', 0]])
    await changeOrder(order, {}, { payment_method: one('payment_methods', 4) })
    expect(await methodLine(order)).toEqual([['Anywhere in euro', 150]])
    expect(await orderOf(order)).toMatchObject({ payment_method_amount_cents: 150, total_amount_cents: 5150 })
    await changeOrder(order, {}, { payment_method: { data: null } })
    expect(await methodLine(order)).toEqual([])
    expect(await orderOf(order)).toMatchObject({ payment_method_amount_cents: 0, total_amount_cents: 5000 })
  })

  it('can be there from the beginning, and is the default of the market once the order is pending', async () => {
    const begun = await begin(
      core.tokens.admin,
      {},
      {
        market: one('markets', 1),
        payment_method: one('payment_methods', 1),
      },
    )
    expect(await methodLine(begun)).toEqual([['Wire EU', 0]])
    await core.pool.query('UPDATE markets SET default_payment_method_id = 4 WHERE id = 1')
    const order = await draft({ customer_email: 'me@example.com' })
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    expect(await methodLine(order)).toEqual([['Anywhere in euro', 0]])
  })

  it.each([
    ['of another market', 2],
    ['of a store the order is not of', 3],
    ['that is disabled', 5],
  ])('refuses one %s', async (_name, number) => {
    expect(
      at(await changeOrder(await draft(), {}, { payment_method: one('payment_methods', number) })),
    ).toEqual([['422', '/data/relationships/payment_method', 'unavailable']])
  })

  it("is the store's own where it has some", async () => {
    const order = await begin(core.tokens.admin, {}, { market: one('markets', 1), store: one('stores', 1) })
    expect((await changeOrder(order, {}, { payment_method: one('payment_methods', 3) })).status).toBe(200)
    expect((await changeOrder(order, {}, { payment_method: one('payment_methods', 1) })).status).toBe(422)
  })
})

describe('the market of an order', () => {
  it('may change while it is in the making: currency and prices follow', async () => {
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 2 })
    await changeOrder(order, {}, { market: one('markets', 2) })
    expect(await orderOf(order)).toMatchObject({
      currency_code: 'USD',
      total_amount_cents: 9000,
      formatted_total_amount: '$90.00',
    })
  })

  it('does not while something in it has no price there', async () => {
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    expect(at(await changeOrder(order, {}, { market: one('markets', 2) }))).toEqual([
      ['422', '/data/relationships/market', 'no_price'],
    ])
    expect(await orderOf(order)).toMatchObject({ currency_code: 'EUR', total_amount_cents: 5000 })
  })

  it.each<[string, Body, string]>([
    ['a line of no SKU', { name: 'Repair', unit_amount_cents: 333 }, 'Repair'],
    ['options of a line', { sku_code: 'SKU-B', options_amount_cents: 5 }, 'SKU-B with options'],
  ])(
    'does not leave %s in another currency',
    async (_name, { options_amount_cents: options, ...line }, what) => {
      const order = await draft()
      const { id } = singleOf(await add(core.tokens.admin, order, { ...line, quantity: 1 })).data
      if (options !== undefined) await change(core.tokens.admin, id, { options_amount_cents: options })
      const response = await changeOrder(order, {}, { market: one('markets', 2) })
      expect(at(response)).toEqual([['422', '/data/relationships/market', 'no_price']])
      expect(errorsOf(response)[0]?.title).toBe(`has no price for ${what}, which the order has a line of`)
      expect((await orderOf(order))['currency_code']).toBe('EUR')
      const total = (await orderOf(order))['total_amount_cents']
      expect((await changeOrder(order, {}, { market: one('markets', 4) })).status).toBe(200)
      expect(await orderOf(order)).toMatchObject({ currency_code: 'EUR', total_amount_cents: total })
    },
  )

  it('writes an amount that was sent for a SKU over with its price there', async () => {
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1, unit_amount_cents: 1 })
    await changeOrder(order, {}, { market: one('markets', 2) })
    expect((await orderOf(order))['total_amount_cents']).toBe(4500)
  })

  it('brings its prices along, however short ago the order was refreshed', async () => {
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"orders_min_refresh_lapse": 60}' WHERE id = 1`,
    )
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })
    await changeOrder(order, { _refresh_prices: true }, { market: one('markets', 2) })
    await core.pool.query(`UPDATE environments SET settings = '{}' WHERE id = 1`)
    expect(await orderOf(order)).toMatchObject({ currency_code: 'USD', total_amount_cents: 4500 })
  })
})

describe('taxes', () => {
  it('come from the rate of each line, out of or on top of the amount', async () => {
    const order = await draft()
    const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data
    await core.pool.query('UPDATE line_items SET tax_rate = 0.22 WHERE id = $1', [decodeId('line_items', id)])
    await changeOrder(order, { _refresh: true })
    expect(await orderOf(order)).toMatchObject({
      total_tax_amount_cents: 902,
      subtotal_taxable_amount_cents: 4098,
      total_amount_with_taxes_cents: 5000,
    })
    await setOrder(order, 'tax_included = false')
    await changeOrder(order, { _refresh: true })
    expect(await orderOf(order)).toMatchObject({
      total_tax_amount_cents: 1100,
      total_amount_with_taxes_cents: 6100,
    })
  })

  it('of shipping follow the switch of the order', async () => {
    const order = await draft()
    await core.pool.query(
      `INSERT INTO line_items (environment_id, order_id, item_type, name, quantity, unit_amount_cents, currency_code)
       VALUES (1, $1, 'shipments', 'Express', 1, 1200, 'EUR')`,
      [decodeId('orders', order)],
    )
    await setOrder(order, 'tax_rate = 0.22')
    await changeOrder(order, { freight_taxable: true })
    expect(await orderOf(order)).toMatchObject({
      shipping_amount_cents: 1200,
      shipping_tax_amount_cents: 216,
    })
    await changeOrder(order, { freight_taxable: false })
    expect(await orderOf(order)).toMatchObject({ shipping_tax_amount_cents: 0 })
  })
})

describe('refreshing', () => {
  it('stops when it is switched off, and catches up when asked', async () => {
    const order = await draft({ autorefresh: false })
    const line = attributesOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
    expect(line['total_amount_cents']).toBe(5000)
    expect((await orderOf(order))['total_amount_cents']).toBe(0)
    await changeOrder(order, { _refresh: true })
    expect((await orderOf(order))['total_amount_cents']).toBe(5000)
  })

  it('stops by itself with more lines than the setting says', async () => {
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"orders_autorefresh_cutoff_test": 1}' WHERE id = 1`,
    )
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    expect((await orderOf(order))['autorefresh']).toBe(true)
    await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })
    expect((await orderOf(order))['autorefresh']).toBe(false)
    await core.pool.query(`UPDATE environments SET settings = '{}' WHERE id = 1`)
  })

  it('comes at most once per lapse', async () => {
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"orders_min_refresh_lapse": 60}' WHERE id = 1`,
    )
    const order = await draft({ autorefresh: false })
    await changeOrder(order, { _refresh: true })
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    await changeOrder(order, { _refresh: true })
    expect((await orderOf(order))['total_amount_cents']).toBe(0)
    await core.pool.query(`UPDATE environments SET settings = '{}' WHERE id = 1`)
  })

  it('reads prices again when asked', async () => {
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1, unit_amount_cents: 1 })
    await changeOrder(order, { _refresh_prices: true })
    expect((await orderOf(order))['total_amount_cents']).toBe(5000)
  })
})

describe('two writers of one order', () => {
  it('lose no cent: every line is counted', async () => {
    const order = await draft({ customer_email: 'me@example.com' })
    const lines = Array.from({ length: 8 }, (_unused, at) => ({ sku_code: 'SKU-D', quantity: at + 1 }))
    const made = await Promise.all(lines.map((line) => add(core.tokens.admin, order, line)))
    expect(made.map(({ status }) => status)).toEqual(lines.map(() => 201))
    expect(await orderOf(order)).toMatchObject({
      skus_count: 36,
      total_amount_cents: 36 * 1500,
      status: 'pending',
    })
    const [first, second, ...rest] = made.map((response) => singleOf(response).data.id)
    await Promise.all([
      remove(core.tokens.admin, first ?? ''),
      change(core.tokens.admin, second ?? '', { quantity: 10 }),
      ...rest.map((id) => change(core.tokens.admin, id, { quantity: 1 })),
      add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }),
    ])
    expect(await orderOf(order)).toMatchObject({ skus_count: 17, total_amount_cents: 16 * 1500 + 5000 })
  })

  it('adding to one line count both quantities', async () => {
    const order = await draft()
    const line = { sku_code: 'SKU-D', quantity: 2, _update_quantity: true }
    await Promise.all(Array.from({ length: 5 }, () => add(core.tokens.admin, order, line)))
    expect(listOf(await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)).data).toMatchObject([
      { attributes: { quantity: 10, total_amount_cents: 15_000 } },
    ])
  })
})

describe('amounts in yen', () => {
  it.each([
    ['the most', 99_999_999_999_999, 1, undefined],
    ['one unit more', 100_000_000_000_000, 1, 'unit_amount_cents'],
    ['what a JSON number holds', Number.MAX_SAFE_INTEGER, 1, 'unit_amount_cents'],
    ['several units', 50_000_000_000_000, 2, 'quantity'],
  ])('are at most what metrics holds: %s', async (_name, cents, quantity, refused) => {
    const order = await draft()
    await setOrder(order, "currency_code = 'JPY'")
    const line = { name: 'Everything', unit_amount_cents: cents, quantity }
    const response = await add(core.tokens.admin, order, line)
    if (refused === undefined) return expect(response.status).toBe(201)
    expect(at(response)).toEqual([['422', `/data/attributes/${refused}`, 'amount_too_large']])
    expect(errorsOf(response)[0]?.title).toBe(
      'makes an amount of the order exceed 99999999999999, the most in JPY',
    )
  })

  it('are refused as sums of an order by the write that makes them', async () => {
    const order = await draft()
    await setOrder(order, "currency_code = 'JPY'")
    const line = { name: 'Much', unit_amount_cents: 99_999_999_999_999, quantity: 1 }
    expect((await add(core.tokens.admin, order, line)).status).toBe(201)
    expect(at(await add(core.tokens.admin, order, { ...line, unit_amount_cents: 1 }))).toEqual([
      ['422', '/data/attributes/quantity', 'amount_too_large'],
    ])
    expect(await orderOf(order)).toMatchObject({ total_amount_cents: 99_999_999_999_999 })
  })
})
