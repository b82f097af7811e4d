/** Bundles in orders: what a line of one costs, what it takes from stock, ships and gives back, SKU by SKU (docs/adr/0120). */
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bundleCalls, OUTFIT } from '../support/bundle-calls.ts'
import type { Contents } from '../support/bundle-calls.ts'
import {
  ADDRESSES,
  at,
  attributesOf,
  checkoutCalls,
  linkTo,
  one,
  orderCalls,
} from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('bundle_lines')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  await core.pool.query(WITH_RETURNS)
})
afterAll(() => core.close())

const { bundleOf, listOfSkus, makeOf, create, patch, remove, stockOf } = bundleCalls(() => core)
const { draft, begin, add, change, changeOrder, orderOf } = orderCalls(() => core)
const { move, pay } = checkoutCalls(() => core)
const { freeShipping } = paymentCalls(() => core)
const returns = returnCalls(() => core)

const addTo = (order: string, attributes: Body, relationships: Body = {}) =>
  add(core.tokens.admin, order, attributes, relationships)

/** With addresses and a source of payment. */
const payable = async (...lines: readonly Body[]): Promise<string> => {
  const order = await draft({ customer_email: 'ada@example.com' })
  for (const line of lines) singleOf(await addTo(order, line))
  singleOf(await changeOrder(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) }))
  await pay(order)
  return order
}

const get = async (path: string) => listOf(await core.get(`/api/${path}`, core.tokens.admin)).data
const bundled = (quantity: number, bundle_code = 'OUTFIT'): Body => ({ bundle_code, quantity })

describe('a line of a bundle', () => {
  it('is named by code or item, and has the price and the name of the bundle', async () => {
    const bundle = await bundleOf(OUTFIT, { compare_at_amount_cents: 15_500 })
    const order = await draft()
    const line = singleOf(await addTo(order, bundled(2))).data
    expect(line.attributes).toMatchObject({
      item_type: 'bundles',
      bundle_code: 'OUTFIT',
      sku_code: null,
      name: 'Outfit',
      quantity: 2,
      unit_amount_cents: 12_000,
      compare_at_amount_cents: 15_500,
      total_amount_cents: 24_000,
    })
    expect(await orderOf(order)).toMatchObject({ subtotal_amount_cents: 24_000, skus_count: 2 })
    const byItem = await addTo(order, { quantity: 1 }, { item: linkTo('bundles', bundle) })
    expect(attributesOf(byItem)).toMatchObject({ bundle_code: 'OUTFIT' })
    const read = await core.get(`/api/line_items/${line.id}?include=item,bundle`, core.tokens.admin)
    expect(singleOf(read).included?.map(({ type, id }) => [type, id])).toEqual([['bundles', bundle]])
  })

  it('is merged, changed to another bundle, and priced again', async () => {
    await bundleOf()
    const other = await bundleOf({ 'SKU-B': 1 }, { code: 'SINGLE', price_amount_cents: 3000 })
    const order = await draft()
    const line = singleOf(await addTo(order, bundled(1))).data.id
    const again = singleOf(await addTo(order, { ...bundled(1), _update_quantity: true })).data
    expect([again.id, again.attributes['quantity']]).toEqual([line, 2])
    expect(attributesOf(await change(core.tokens.admin, line, { bundle_code: 'SINGLE' }))).toMatchObject({
      bundle_code: 'SINGLE',
      unit_amount_cents: 3000,
    })
    await patch('bundles', other, { price_amount_cents: 2500 })
    await changeOrder(order, { _refresh_prices: true })
    expect(await orderOf(order)).toMatchObject({ subtotal_amount_cents: 5000 })
  })

  it('of the market is meant before one of none with the same code', async () => {
    const list = await listOfSkus(OUTFIT)
    await makeOf(list, { currency_code: 'EUR', price_amount_cents: 1 }, { market: { data: null } })
    const order = await draft()
    expect(attributesOf(await addTo(order, bundled(1)))).toMatchObject({ unit_amount_cents: 1 })
    await makeOf(list)
    expect(attributesOf(await addTo(order, bundled(1)))).toMatchObject({ unit_amount_cents: 12_000 })
  })

  it('is put into its order by a guest too, who sends no amounts', async () => {
    await bundleOf()
    const guest = await core.tokens.mint(salesChannel([1]))
    const order = await begin(guest)
    expect(attributesOf(await add(guest, order, bundled(1)))).toMatchObject({ unit_amount_cents: 12_000 })
    expect((await add(guest, order, { ...bundled(1), unit_amount_cents: 1 })).status).toBeGreaterThanOrEqual(
      400,
    )
  })

  it('keeps an amount that an integration gives', async () => {
    await bundleOf()
    const order = await draft()
    const line = await addTo(order, { ...bundled(1), unit_amount_cents: 7 })
    expect(attributesOf(line)).toMatchObject({ unit_amount_cents: 7, compare_at_amount_cents: null })
  })
})

describe('refuses', () => {
  it.each<[string, Body, readonly unknown[]]>([
    ['an unknown code', bundled(1, 'NOPE'), ['/data/attributes/bundle_code', 'not_found']],
    [
      'the code of a SKU besides',
      { ...bundled(1), sku_code: 'SKU-A' },
      ['/data/attributes/sku_code', 'invalid'],
    ],
    ['more than the scarcest SKU is enough for', bundled(4), ['/data/attributes/quantity', 'out_of_stock']],
    [
      'more units than are counted',
      bundled(2_000_000_000),
      ['/data/attributes/quantity', 'less_than_or_equal_to'],
    ],
    [
      'an external price',
      { ...bundled(1), _external_price: true },
      ['/data/attributes/_external_price', 'invalid'],
    ],
    ['none', bundled(0), ['/data/attributes/quantity', 'greater_than_or_equal_to']],
  ])('%s', async (_name, line, expected) => {
    await bundleOf()
    expect(at(await addTo(await draft(), line))).toEqual([['422', ...expected]])
  })

  it('says how many there are: of SKU-A 7 / 2, of SKU-B 3', async () => {
    await bundleOf()
    const response = await addTo(await draft(), bundled(4))
    expect(errorsOf(response)[0]?.meta).toMatchObject({ value: 4, count: 3 })
    const line = singleOf(await addTo(await draft(), bundled(3))).data.id
    expect(at(await change(core.tokens.admin, line, { quantity: 4 }))).toEqual([
      ['422', '/data/attributes/quantity', 'out_of_stock'],
    ])
  })

  it.each<[string, Contents, Body, Body, readonly unknown[]]>([
    [
      'a bundle of another market',
      OUTFIT,
      {},
      { market: one('markets', 4) },
      ['/data/relationships/item', 'other_market'],
    ],
    [
      'a bundle in another currency',
      OUTFIT,
      { currency_code: 'USD' },
      { market: { data: null } },
      ['/data/relationships/item', 'currency_mismatch'],
    ],
    [
      'a SKU that the market does not have',
      { 'SKU-C': 1 },
      {},
      {},
      ['/data/attributes/bundle_code', 'not_stocked'],
    ],
  ])('%s', async (_name, contents, attributes, relationships, expected) => {
    const bundle = await bundleOf(contents, attributes, relationships)
    const response = await addTo(await draft(), { quantity: 1 }, { item: linkTo('bundles', bundle) })
    expect(at(response)).toEqual([['422', ...expected]])
  })

  it('a code of another bundle than the item', async () => {
    const bundle = await bundleOf()
    const line = { quantity: 1, bundle_code: 'OTHER' }
    expect(at(await addTo(await draft(), line, { item: linkTo('bundles', bundle) }))).toEqual([
      ['422', '/data/attributes/bundle_code', 'invalid'],
    ])
    expect(
      at(await addTo(await draft(), { quantity: 1, bundle_code: 'B' }, { item: one('skus', 1) })),
    ).toEqual([['422', '/data/attributes/bundle_code', 'invalid']])
  })

  it('to make a line of a SKU one of a bundle', async () => {
    await bundleOf()
    const line = singleOf(await addTo(await draft(), { sku_code: 'SKU-A', quantity: 1 })).data.id
    expect(at(await change(core.tokens.admin, line, { bundle_code: 'OUTFIT' }))).toEqual([
      ['422', '/data/attributes/bundle_code', 'invalid'],
    ])
  })

  it('options, which are for SKUs', async () => {
    await bundleOf()
    const line = singleOf(await addTo(await draft(), bundled(1))).data.id
    const option = singleOf(await create('sku_options', { name: 'Engraving', currency_code: 'EUR' })).data.id
    const links = { line_item: linkTo('line_items', line), sku_option: linkTo('sku_options', option) }
    expect(at(await create('line_item_options', { quantity: 1, options: {} }, links))).toEqual([
      ['422', '/data/relationships/sku_option', 'invalid'],
    ])
  })

  it('to delete a bundle that was ordered, and its list', async () => {
    const list = await listOfSkus(OUTFIT)
    const bundle = singleOf(await makeOf(list)).data.id
    singleOf(await addTo(await draft(), bundled(1)))
    expect((await remove('bundles', bundle)).status).toBe(423)
    expect((await remove('sku_lists', list)).status).toBe(423)
  })

  it('an order in a market where the bundle is not sold', async () => {
    await bundleOf({ 'SKU-B': 1 })
    const order = await draft()
    singleOf(await addTo(order, bundled(1)))
    const response = await changeOrder(order, {}, { market: one('markets', 2) })
    expect(errorsOf(response)[0]).toMatchObject({ status: '422', meta: { error: 'no_price' } })
  })
})

describe('stock', () => {
  it('is reserved for a line, each SKU by itself', async () => {
    await bundleOf()
    const order = await draft()
    const line = singleOf(await addTo(order, { ...bundled(2), _reserve_stock: true })).data.id
    expect(await stockOf()).toMatchObject({ 'SKU-A': [7, 4], 'SKU-B': [3, 2], 'SKU-D': [0, 0] })
    singleOf(await change(core.tokens.admin, line, { quantity: 1, _reserve_stock: true }))
    expect(await stockOf()).toMatchObject({ 'SKU-A': [7, 2], 'SKU-B': [3, 1] })
    const other = await addTo(await draft(), { ...bundled(3), _reserve_stock: true })
    expect(at(other)).toEqual([['422', '/data/attributes/quantity', 'out_of_stock']])
    expect(errorsOf(other)[0]?.meta).toMatchObject({ value: 3, count: 2 })
  })

  it('goes out with the order, part by part, and comes back with a return', async () => {
    await bundleOf()
    const order = await payable(bundled(2))
    expect(await move(order, '_place')).toEqual(['placed', 'authorized', 'unfulfilled'])
    expect(await stockOf()).toMatchObject({ 'SKU-A': [7, 4], 'SKU-B': [3, 2], 'SKU-D': [0, 0] })
    const stockLines = await get(`orders/${order}/stock_line_items`)
    expect(
      stockLines
        .map(({ attributes }) => [attributes['sku_code'], attributes['quantity'], attributes['bundle_code']])
        .toSorted(),
    ).toEqual([
      ['SKU-A', 4, 'OUTFIT'],
      ['SKU-B', 2, 'OUTFIT'],
      ['SKU-D', 2, 'OUTFIT'],
    ])
    expect(await move(order, '_approve_and_capture')).toEqual(['approved', 'paid', 'in_progress'])
    expect(await stockOf()).toMatchObject({ 'SKU-A': [3, 0], 'SKU-B': [1, 0], 'SKU-D': [0, 0] })
    expect(await move(order, '_fulfill')).toEqual(['approved', 'paid', 'fulfilled'])
    const [line] = await get(`orders/${order}/line_items?filter[q][item_type_eq]=bundles`)
    const back = await returns.begin(order)
    expect(at(await returns.addTo(back, line?.id ?? '', 3))).toEqual([
      ['422', '/data/attributes/quantity', 'less_than_or_equal_to'],
    ])
    const returned = await returns.addTo(back, line?.id ?? '', 1)
    expect(attributesOf(returned)).toMatchObject({ bundle_code: 'OUTFIT', total_amount_cents: 12_000 })
    await returns.move(back, '_request', '_approve', '_ship', '_receive', '_restock', '_restock')
    // Returns go to location 1.
    expect(await returns.stockAt(1, 'SKU-A')).toBe(5)
    expect(await stockOf()).toMatchObject({ 'SKU-A': [5, 0], 'SKU-B': [2, 0], 'SKU-D': [0, 0] })
    const again = await returns.begin(order)
    expect((await returns.addTo(again, line?.id ?? '', 2)).status).toBe(422)
    expect((await returns.addTo(again, line?.id ?? '', 1)).status).toBe(201)
  })

  it('can be returned only as far as all SKUs of a bundle have left', async () => {
    await bundleOf()
    const order = await payable(bundled(2))
    await move(order, '_place', '_approve_and_capture')
    const shipments = await get(`orders/${order}/shipments`)
    expect(shipments.length).toBeGreaterThan(1)
    const [line] = await get(`orders/${order}/line_items?filter[q][item_type_eq]=bundles`)
    const ship = async (id: string) => {
      for (const trigger of ['_picking', '_packing', '_ready_to_ship', '_ship'])
        await patch('shipments', id, { [trigger]: true })
      return patch('shipments', id, { _ship: true })
    }
    singleOf(await ship(shipments[0]?.id ?? ''))
    const early = await returns.addTo(await returns.begin(order), line?.id ?? '', 1)
    expect(at(early)).toEqual([['422', '/data/attributes/quantity', 'less_than_or_equal_to']])
    for (const { id } of shipments.slice(1)) singleOf(await ship(id))
    expect((await returns.addTo(await returns.begin(order), line?.id ?? '', 2)).status).toBe(201)
  })

  it('is given back when the order is cancelled, before and after it is approved', async () => {
    await bundleOf()
    const before = await stockOf()
    const placed = await payable(bundled(2))
    await move(placed, '_place', '_cancel')
    expect(await stockOf()).toEqual(before)
    const approved = await payable(bundled(3))
    await move(approved, '_place', '_approve')
    expect(await stockOf()).toMatchObject({ 'SKU-A': [1, 0], 'SKU-B': [0, 0] })
    await move(approved, '_cancel')
    expect(await stockOf()).toEqual(before)
  })

  it('is shared by two bundles and a SKU of one order', async () => {
    await bundleOf()
    await bundleOf({ 'SKU-A': 1, 'SKU-B': 1 }, { code: 'PAIR', price_amount_cents: 8000 })
    // SKU-A: 2 × 2 + 1 + 2 = 7 of 7; SKU-B: 2 + 1 = 3 of 3.
    const order = await payable(bundled(2), bundled(1, 'PAIR'), { sku_code: 'SKU-A', quantity: 2 })
    await move(order, '_place')
    expect(await stockOf()).toMatchObject({ 'SKU-A': [7, 7], 'SKU-B': [3, 3] })
    await move(order, '_approve_and_capture')
    expect(await stockOf()).toMatchObject({ 'SKU-A': [0, 0], 'SKU-B': [0, 0] })
  })

  it('that lines of an order have not enough of together keeps it from being placed', async () => {
    await bundleOf()
    const order = await payable(bundled(3), { sku_code: 'SKU-A', quantity: 2 })
    const response = await changeOrder(order, { _place: true })
    expect(at(response)).toEqual([['422', '/data/relationships/line_items', 'out_of_stock']])
    expect(errorsOf(response)[0]?.title).toContain('8 of SKU-A')
    expect(await stockOf()).toMatchObject({ 'SKU-A': [7, 0], 'SKU-B': [3, 0] })
  })

  it('is never sold twice to buyers of bundles and of their SKUs who place at once', async () => {
    await bundleOf()
    const lines: readonly Body[] = [bundled(1), { sku_code: 'SKU-A', quantity: 1 }, bundled(1), bundled(1)]
    const orders: string[] = []
    for (let buyer = 0; buyer < 8; buyer += 1) orders.push(await payable(lines[buyer % 4] ?? {}))
    const answers = await Promise.all(orders.map((order) => changeOrder(order, { _place: true })))
    const placed = answers.flatMap(({ status }, buyer) => (status === 200 ? [lines[buyer % 4]] : []))
    const wanted = placed.reduce((sum, line) => sum + (line?.['bundle_code'] === undefined ? 1 : 2), 0)
    const { 'SKU-A': a = [0, 0], 'SKU-B': b = [0, 0] } = await stockOf()
    expect([a, b]).toEqual([
      [7, wanted],
      [3, placed.filter((line) => line?.['bundle_code'] !== undefined).length],
    ])
    expect(wanted).toBeLessThanOrEqual(7)
    // Nobody else can be sold a bundle: one of its SKUs is gone, or all have been refused for it.
    const left = Math.min(Math.floor((7 - wanted) / 2), 3 - b[1])
    expect(left).toBe(0)
  })

  it('of SKUs that are not tracked is no bound, and nothing of them is shipped if they are not', async () => {
    await core.pool.query('UPDATE skus SET do_not_ship = true WHERE environment_id = 1 AND id = 4')
    await bundleOf({ 'SKU-D': 3 })
    const order = await payable(bundled(1000))
    expect(await move(order, '_place', '_approve_and_capture')).toEqual(['approved', 'paid', 'not_required'])
    expect(await get(`orders/${order}/shipments`)).toEqual([])
  })

  it('of a bundle stays together where shipments are split by line items', async () => {
    await core.pool.query(
      `UPDATE inventory_models SET strategy = 'split_by_line_items' WHERE environment_id = 1 AND id = 1;
       UPDATE stock_items SET stock_location_id = 1 WHERE environment_id = 1 AND id = 2`,
    )
    await bundleOf({ 'SKU-A': 1, 'SKU-B': 1 })
    const order = await payable(bundled(1), { sku_code: 'SKU-A', quantity: 1 })
    await move(order, '_place')
    expect(await get(`orders/${order}/shipments`)).toHaveLength(2)
  })
})
