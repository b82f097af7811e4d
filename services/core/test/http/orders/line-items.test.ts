/** Line items: what may be put into an order, what it costs, and how long it may change (lifecycles.md 2). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('line_items')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, draft, add, change, remove, orderOf, setOrder } = orderCalls(() => core)

describe('a line of a SKU', () => {
  it('named by its code has its name, image, and the price in the list of the market', async () => {
    const order = await draft()
    const response = await add(
      core.tokens.admin,
      order,
      { sku_code: 'SKU-A', quantity: 2 },
      {},
      '?include=item,order',
    )
    expect(response.status).toBe(201)
    expect(attributesOf(response)).toMatchObject({
      sku_code: 'SKU-A',
      item_type: 'skus',
      name: 'Black shirt',
      quantity: 2,
      currency_code: 'EUR',
      unit_amount_cents: 5000,
      unit_amount_float: 50,
      formatted_unit_amount: '€50,00',
      compare_at_amount_cents: 6000,
      total_amount_cents: 10_000,
      formatted_total_amount: '€100,00',
      discount_cents: 0,
      tax_amount_cents: 0,
      _external_price: false,
    })
    expect(singleOf(response).data.relationships?.['item']?.data).toEqual(one('skus', SKUS.A).data)
  })

  it('named by relationship is the same', async () => {
    const response = await add(
      core.tokens.admin,
      await draft(),
      { quantity: 1 },
      { item: one('skus', SKUS.B) },
    )
    expect(attributesOf(response)).toMatchObject({
      sku_code: 'SKU-B',
      unit_amount_cents: 4000,
      compare_at_amount_cents: null,
    })
  })

  it('costs what an integration says, keeps a name and image that were sent', async () => {
    const sent = {
      name: 'Gift',
      image_url: 'https://shop.example/gift.png',
      unit_amount_cents: 1,
      compare_at_amount_cents: 2,
    }
    const response = await add(core.tokens.admin, await draft(), { sku_code: 'SKU-A', quantity: 3, ...sent })
    expect(attributesOf(response)).toMatchObject({ ...sent, total_amount_cents: 3 })
  })

  it('without a price in the list can be added with an amount, and only so', async () => {
    const order = await begin(core.tokens.admin, {}, { market: one('markets', 2) })
    await core.pool.query(
      `INSERT INTO stock_items (environment_id, sku_id, sku_code, stock_location_id, quantity) VALUES (1, 1, 'SKU-A', 2, 9)`,
    )
    const line = { sku_code: 'SKU-A', quantity: 1 }
    expect(at(await add(core.tokens.admin, order, line))).toEqual([
      ['422', '/data/attributes/sku_code', 'no_price'],
    ])
    const priced = await add(core.tokens.admin, order, { ...line, unit_amount_cents: 700 })
    expect(attributesOf(priced)).toMatchObject({ unit_amount_cents: 700, currency_code: 'USD' })
  })

  it('is refused without a stock item in a location of the market, and beyond what is there', async () => {
    const order = await draft()
    expect(at(await add(core.tokens.admin, order, { sku_code: 'SKU-C', quantity: 1 }))).toEqual([
      ['422', '/data/attributes/sku_code', 'not_stocked'],
    ])
    const tooMany = await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 8 })
    expect(errorsOf(tooMany)).toMatchObject([
      {
        title: 'is out of stock',
        source: { pointer: '/data/attributes/quantity' },
        meta: { error: 'out_of_stock', value: 8, count: 7 },
      },
    ])
    expect((await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 7 })).status).toBe(201)
  })

  it('that is not tracked can be ordered without end', async () => {
    const response = await add(core.tokens.admin, await draft(), { sku_code: 'SKU-D', quantity: 100_000 })
    expect(attributesOf(response)['total_amount_cents']).toBe(150_000_000)
  })

  it("counts the location of the order's store first (contract, Scopes rule 6)", async () => {
    const order = await begin(core.tokens.admin, {}, { market: one('markets', 1), store: one('stores', 1) })
    const response = await add(core.tokens.admin, order, { sku_code: 'SKU-C', quantity: 5 })
    expect(attributesOf(response)['unit_amount_cents']).toBe(9000)
    expect((await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 9 })).status).toBe(201)
    expect(at(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 10 }))).toEqual([
      ['422', '/data/attributes/quantity', 'out_of_stock'],
    ])
  })

  it('with the strategy no_split counts one location only', async () => {
    await core.pool.query(`UPDATE inventory_models SET strategy = 'no_split' WHERE id = 1`)
    expect(at(await add(core.tokens.admin, await draft(), { sku_code: 'SKU-B', quantity: 1 }))).toEqual([
      ['422', '/data/attributes/quantity', 'out_of_stock'],
    ])
  })

  it.each<[string, Body, Body, readonly unknown[]]>([
    ['no article', { quantity: 1 }, {}, ['/data/relationships/item', 'blank']],
    ['the type alone', { quantity: 1, item_type: 'skus' }, {}, ['/data/relationships/item', 'blank']],
    ['no quantity', { sku_code: 'SKU-A' }, {}, ['/data/attributes/quantity', 'blank']],
    [
      'a quantity of 0',
      { sku_code: 'SKU-A', quantity: 0 },
      {},
      ['/data/attributes/quantity', 'greater_than_or_equal_to'],
    ],
    [
      'a quantity that is no integer',
      { sku_code: 'SKU-A', quantity: 1.5 },
      {},
      ['/data/attributes/quantity', 'not_an_integer'],
    ],
    ['an unknown code', { sku_code: 'NOPE', quantity: 1 }, {}, ['/data/attributes/sku_code', 'not_found']],
    [
      'a code of another SKU',
      { sku_code: 'SKU-B', quantity: 1 },
      { item: one('skus', 1) },
      ['/data/attributes/sku_code', 'invalid'],
    ],
    [
      'a SKU of another organization',
      { quantity: 1 },
      { item: one('skus', 1001) },
      ['/data/relationships/item', 'noent'],
    ],
    [
      'a negative amount',
      { sku_code: 'SKU-A', quantity: 1, unit_amount_cents: -1 },
      {},
      ['/data/attributes/unit_amount_cents', 'greater_than_or_equal_to'],
    ],
    ['no bundle', { bundle_code: 'B', quantity: 1 }, {}, ['/data/attributes/bundle_code', 'not_found']],
    [
      'a gift card that is not named',
      { item_type: 'gift_cards', quantity: 1 },
      {},
      ['/data/relationships/item', 'blank'],
    ],
    [
      'an unknown bundle by relationship',
      { quantity: 1 },
      { item: linkTo('bundles', 'xxxxxxxxxx') },
      ['/data/relationships/item', 'noent'],
    ],
    [
      'what the order makes itself',
      { item_type: 'shipments', quantity: 1 },
      {},
      ['/data/attributes/item_type', 'invalid'],
    ],
    [
      'a payment method',
      { quantity: 1 },
      { item: one('payment_methods', 1) },
      ['/data/relationships/item', 'invalid'],
    ],
    [
      'a frequency',
      { sku_code: 'SKU-A', quantity: 1, frequency: 'monthly' },
      {},
      ['/data/attributes/frequency', 'no_subscription_model'],
    ],
    [
      'an external price',
      { sku_code: 'SKU-A', quantity: 1, _external_price: true },
      {},
      ['/data/attributes/_external_price', 'not_supported'],
    ],
    [
      'an order of another organization',
      { sku_code: 'SKU-A', quantity: 1 },
      { order: one('orders', 1001) },
      ['/data/relationships/order', 'noent'],
    ],
    [
      'no order',
      { sku_code: 'SKU-A', quantity: 1 },
      { order: { data: null } },
      ['/data/relationships/order', 'blank'],
    ],
  ])('refuses %s', async (_name, attributes, relationships, [pointer, error]) => {
    const order = await draft()
    expect(at(await add(core.tokens.admin, order, attributes, relationships))).toEqual([
      ['422', pointer, error],
    ])
    expect(await orderOf(order)).toMatchObject({ skus_count: 0, total_amount_cents: 0 })
  })

  it('refuses an amount that no JSON number holds', async () => {
    const line = { name: 'Everything', unit_amount_cents: Number.MAX_SAFE_INTEGER, quantity: 2 }
    expect(at(await add(core.tokens.admin, await draft(), line))).toEqual([
      ['422', '/data/attributes/quantity', 'amount_too_large'],
    ])
  })

  it('refuses a sales channel what it may never send', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const order = await begin(token)
    for (const name of ['unit_amount_cents', '_reserve_stock', '_reset_restocked_quantity']) {
      const response = await add(token, order, { sku_code: 'SKU-A', quantity: 1, [name]: null })
      expect(errorsOf(response)).toMatchObject([
        { code: 'PARAM_NOT_ALLOWED', source: { pointer: `/data/attributes/${name}` } },
      ])
    }
  })
})

describe('a line of nothing but a name', () => {
  it('is an amount an integration puts into an order', async () => {
    const order = await draft()
    const response = await add(core.tokens.admin, order, {
      name: 'Repair',
      unit_amount_cents: 2500,
      quantity: 1,
    })
    expect(attributesOf(response)).toMatchObject({
      item_type: null,
      sku_code: null,
      total_amount_cents: 2500,
    })
    expect(await orderOf(order)).toMatchObject({ subtotal_amount_cents: 2500, skus_count: 0 })
  })
})

describe('PATCH /api/line_items/<id>', () => {
  it('changes quantity, and the order with it, at the price the line has', async () => {
    const order = await draft()
    const line = { sku_code: 'SKU-A', quantity: 1, unit_amount_cents: 10 }
    const { id } = singleOf(await add(core.tokens.admin, order, line)).data
    expect(attributesOf(await change(core.tokens.admin, id, { quantity: 4 }))).toMatchObject({
      unit_amount_cents: 10,
      total_amount_cents: 40,
    })
    expect(await orderOf(order)).toMatchObject({ total_amount_cents: 40, skus_count: 4 })
    const options = await change(core.tokens.admin, id, { options_amount_cents: 5, unit_amount_cents: 20 })
    expect(attributesOf(options)['total_amount_cents']).toBe(85)
    expect(at(await change(core.tokens.admin, id, { quantity: 8 }))).toEqual([
      ['422', '/data/attributes/quantity', 'out_of_stock'],
    ])
  })

  it('makes it a line of another SKU, with its name and price', async () => {
    const { id } = singleOf(
      await add(core.tokens.admin, await draft(), { sku_code: 'SKU-A', quantity: 1 }),
    ).data
    const response = await change(core.tokens.admin, id, { sku_code: 'SKU-B' })
    expect(attributesOf(response)).toMatchObject({
      name: 'White shirt',
      unit_amount_cents: 4000,
      total_amount_cents: 4000,
    })
    expect(at(await change(core.tokens.admin, id, { sku_code: 'NOPE' }))).toEqual([
      ['422', '/data/attributes/sku_code', 'not_found'],
    ])
  })

  it('takes the price of the list again when the amount is emptied', async () => {
    const line = { sku_code: 'SKU-A', quantity: 1, unit_amount_cents: 1 }
    const { id } = singleOf(await add(core.tokens.admin, await draft(), line)).data
    expect(attributesOf(await change(core.tokens.admin, id, { unit_amount_cents: null }))).toMatchObject({
      unit_amount_cents: 5000,
    })
  })

  it('never changes the order or the item', async () => {
    const { id } = singleOf(
      await add(core.tokens.admin, await draft(), { sku_code: 'SKU-A', quantity: 1 }),
    ).data
    const response = await core.send('PATCH', `/api/line_items/${id}`, core.tokens.admin, {
      data: { type: 'line_items', id, relationships: { order: one('orders', 1), item: one('skus', 2) } },
    })
    expect(errorsOf(response).map(({ code }) => code)).toEqual(['PARAM_NOT_ALLOWED', 'PARAM_NOT_ALLOWED'])
  })

  it('leaves what the order makes itself to the order, but for what describes it', async () => {
    const id = encodeId('line_items', 2)
    expect(at(await change(core.tokens.admin, id, { quantity: 2 }))).toEqual([
      ['422', '/data/attributes/quantity', 'not_editable'],
    ])
    expect((await change(core.tokens.admin, id, { metadata: { seen: true }, name: 'Bank' })).status).toBe(200)
  })

  it.each(['placing', 'placed', 'approved', 'cancelled'])(
    'is closed while the order is %s, but for what describes it',
    async (status) => {
      const order = await draft()
      const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data
      await setOrder(order, `status = '${status}'`)
      expect(at(await change(core.tokens.admin, id, { quantity: 2 }))).toEqual([
        ['422', '/data/attributes/quantity', 'not_editable'],
      ])
      expect(at(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))).toEqual([
        ['422', '/data/relationships/order', 'not_editable'],
      ])
      const closed = await remove(core.tokens.admin, id)
      expect(errorsOf(closed)).toMatchObject([{ status: '423', code: 'LOCKED' }])
      const described = { reference: 'R', metadata: { a: 1 }, _reset_restocked_quantity: true }
      expect((await change(core.tokens.admin, id, described)).status).toBe(200)
    },
  )
})

describe('DELETE /api/line_items/<id>', () => {
  it('takes it out of the order', async () => {
    const order = await draft({ customer_email: 'new@example.com' })
    const first = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data.id
    const second = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })).data.id
    expect((await remove(core.tokens.admin, first)).status).toBe(204)
    expect(await orderOf(order)).toMatchObject({ total_amount_cents: 4000, skus_count: 1, status: 'pending' })
    await remove(core.tokens.admin, second)
    expect(await orderOf(order)).toMatchObject({ total_amount_cents: 0, skus_count: 0, status: 'draft' })
    expect((await remove(core.tokens.admin, second)).status).toBe(404)
  })

  it('is refused for a line that follows from something else', async () => {
    expect(errorsOf(await remove(core.tokens.admin, encodeId('line_items', 2)))).toMatchObject([
      { code: 'LOCKED', detail: 'A line item of type payment_methods goes when its order gives it up.' },
    ])
  })
})
