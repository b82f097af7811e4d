/** What promotions and their rules do to an order: lines, shares and totals. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { checkoutCalls, linkTo, one, orderCalls, statusesOf, WITH_SHIPPING } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { promotionCalls } from '../support/promotion-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('promotions_of_orders')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { add, change, changeOrder, orderOf, remove } = orderCalls(() => core)
const { cart, payable, send } = checkoutCalls(() => core)
const { promote, rule, list, discountsOf, withCoupon } = promotionCalls(() => core)

const linesOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/line_items?page[size]=25`, core.tokens.admin)).data
const goodsOf = async (order: string) =>
  (await linesOf(order)).filter(({ attributes }) => attributes['item_type'] === 'skus')
const refresh = (order: string) => changeOrder(order, { _refresh: true })

describe('a percentage', () => {
  it('is a line of the order, shared by the lines it is for, and part of the totals', async () => {
    const promotion = await promote('percentage_discount', { percentage: 10 })
    const order = await cart('SKU-A', 2)
    await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 1 })
    expect(await orderOf(order)).toMatchObject({
      subtotal_amount_cents: 11_500,
      discount_amount_cents: -1150,
      shipping_amount_cents: 1400,
      total_amount_cents: 11_750,
    })
    const [shirts, hat] = await goodsOf(order)
    const key = `percentage_discount_promotions-${promotion}`
    const share = { name: 'percentage_discount', coupon_code: null }
    expect(shirts?.attributes).toMatchObject({
      total_amount_cents: 10_000,
      discount_cents: -1000,
      discount_breakdown: { [key]: { ...share, cents: -1000, weight: 0.86956522 } },
    })
    expect(hat?.attributes).toMatchObject({
      discount_cents: -150,
      discount_breakdown: { [key]: { ...share, cents: -150, weight: 0.13043478 } },
    })
    const line = (await linesOf(order)).find(({ attributes }) =>
      String(attributes['item_type']).endsWith('_promotions'),
    )
    expect(line?.attributes).toMatchObject({
      item_type: 'percentage_discount_promotions',
      quantity: 1,
      unit_amount_cents: -1150,
      total_amount_cents: -1150,
      coupon_code: null,
    })
    const related = singleOf(
      await core.get(`/api/line_items/${line?.id ?? ''}?include=item`, core.tokens.admin),
    )
    expect(related.included?.[0]).toMatchObject({ type: 'percentage_discount_promotions', id: promotion })
  })

  it('keeps its line while the order changes, and gives it up when the last article goes', async () => {
    await promote('percentage_discount', { percentage: 10 })
    const order = await cart('SKU-A', 2)
    const before = (await linesOf(order)).map(({ id }) => id)
    const [shirts] = await goodsOf(order)
    await change(core.tokens.admin, shirts?.id ?? '', { quantity: 3 })
    expect((await linesOf(order)).map(({ id }) => id)).toEqual(before)
    expect(await discountsOf(order)).toEqual([['percentage_discount', -1500]])
    await remove(core.tokens.admin, shirts?.id ?? '')
    expect(await linesOf(order)).toEqual([])
    expect(await orderOf(order)).toMatchObject({ discount_amount_cents: 0, total_amount_cents: 0 })
  })

  it('is no longer there once it is disabled and the order refreshed', async () => {
    const promotion = await promote('percentage_discount', { percentage: 10 })
    const order = await cart('SKU-A', 1)
    const type = 'percentage_discount_promotions'
    const data = { type, id: promotion, attributes: { _disable: true } }
    await core.send('PATCH', `/api/${type}/${promotion}`, core.tokens.admin, { data })
    expect(await discountsOf(order)).toEqual([['percentage_discount', -500]])
    await refresh(order)
    expect(await discountsOf(order)).toEqual([])
  })
})

test('a repeated refresh changes nothing', async () => {
  await promote('percentage_discount', { percentage: 7 })
  await promote('fixed_amount', { fixed_amount_cents: 333, currency_code: 'EUR' })
  await promote('free_shipping')
  const order = await payable('SKU-A', 3)
  const state = async () => [
    (await linesOf(order)).map(({ id, attributes: { updated_at: _at, ...rest } }) => [id, rest]),
    await discountsOf(order),
  ]
  const before = await state()
  await refresh(order)
  await refresh(order)
  expect(await state()).toEqual(before)
})

test('shipping for nothing follows what shipping costs', async () => {
  await promote('free_shipping', { name: 'Free' })
  const order = await payable('SKU-A', 2)
  expect(await discountsOf(order)).toEqual([['Free', -700]])
  expect(await orderOf(order)).toMatchObject({ shipping_amount_cents: 700, total_amount_cents: 10_000 })
  expect(statusesOf(await send(order, '_place'))).toEqual(['placed', 'authorized', 'unfulfilled'])
})

describe('which promotions apply', () => {
  it.each<[string, Body, Body]>([
    ['not yet', { starts_at: '2098-01-01T00:00:00Z' }, {}],
    ['not any more', { expires_at: '2020-01-02T00:00:00Z' }, {}],
    ['disabled', { _disable: true }, {}],
    ['of another market', {}, { market: one('markets', 2) }],
    ['of another currency', { currency_code: 'USD' }, {}],
  ])('none that is %s', async (_name, attributes, relationships) => {
    await promote('percentage_discount', { percentage: 10, ...attributes }, relationships)
    expect(await discountsOf(await cart('SKU-A', 1))).toEqual([])
  })

  it('an exclusive one keeps all others away, once it takes something off', async () => {
    await promote('percentage_discount', { name: 'Ten', percentage: 10 })
    const hats = await list([4])
    await promote(
      'percentage_discount',
      { name: 'Half', percentage: 50, exclusive: true },
      { sku_list: linkTo('sku_lists', hats) },
    )
    const order = await cart('SKU-A', 1)
    expect(await discountsOf(order)).toEqual([['Ten', -500]])
    await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 1 })
    expect(await discountsOf(order)).toEqual([['Half', -750]])
  })

  it('the ten of best priority, and any number with coupons', async () => {
    for (let priority = 1; priority <= 12; priority += 1)
      await promote('fixed_amount', {
        name: `P${String(priority).padStart(2, '0')}`,
        fixed_amount_cents: priority,
        currency_code: 'EUR',
        priority,
      })
    await withCoupon()
    const order = await cart('SKU-A', 1, { coupon_code: 'SUMMER26' })
    const names = (await discountsOf(order)).map(([name]) => name)
    expect(names).toHaveLength(11)
    expect(names).not.toContain('P11')
    expect(names).not.toContain('P12')
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"promotions_max_concurrent_count": 1}' WHERE id = 1`,
    )
    await refresh(order)
    expect((await discountsOf(order)).map(([name]) => name)).toEqual(['P01', 'percentage_discount'])
    await core.pool.query(
      `UPDATE environments SET settings = settings - 'promotions_max_concurrent_count' WHERE id = 1`,
    )
  })
})

describe('rules', () => {
  it('of an amount are met above it, after the promotions before', async () => {
    await promote('fixed_amount', { name: 'One', fixed_amount_cents: 100, currency_code: 'EUR', priority: 1 })
    const promotion = await promote('percentage_discount', { name: 'Ten', percentage: 10, priority: 2 })
    await rule('order_amount', promotion, 'percentage_discount', { order_amount_cents: 9_900 })
    const order = await cart('SKU-A', 2)
    expect(await discountsOf(order)).toEqual([['One', -100]])
    const [shirts] = await goodsOf(order)
    await change(core.tokens.admin, shirts?.id ?? '', { quantity: 3 })
    expect(await discountsOf(order)).toEqual([
      ['One', -100],
      ['Ten', -1490],
    ])
  })

  it('of a subtotal look at what there was before all promotions', async () => {
    await promote('fixed_amount', { name: 'One', fixed_amount_cents: 100, currency_code: 'EUR', priority: 1 })
    const promotion = await promote('percentage_discount', { name: 'Ten', percentage: 10, priority: 2 })
    await rule('order_amount', promotion, 'percentage_discount', {
      order_amount_cents: 9_999,
      use_subtotal: true,
    })
    expect(await discountsOf(await cart('SKU-A', 2))).toEqual([
      ['One', -100],
      ['Ten', -990],
    ])
  })

  it.each<[string, Body, boolean, boolean]>([
    ['any SKU', {}, true, true],
    ['all SKUs', { all_skus: true }, false, true],
    ['three units', { min_quantity: 3 }, false, true],
    ['three units, whatever all_skus says', { min_quantity: 3, all_skus: true }, false, true],
    ['four units', { min_quantity: 4 }, false, false],
  ])('of a list want %s', async (_name, attributes, withOne, withBoth) => {
    const promotion = await promote('percentage_discount', { percentage: 10 })
    const skus = await list([1], [4])
    await rule('sku_list', promotion, 'percentage_discount', attributes, {
      sku_list: linkTo('sku_lists', skus),
    })
    const order = await cart('SKU-A', 1)
    expect((await discountsOf(order)).length > 0).toBe(withOne)
    await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 2 })
    expect((await discountsOf(order)).length > 0).toBe(withBoth)
  })

  it.each<[Body, boolean]>([
    [{ market_id_in: encodeId('markets', 1) }, true],
    [{ market_id_in: encodeId('markets', 2) }, false],
    [{ market_id_not_in: [encodeId('markets', 2)] }, true],
    [{ currency_code_in: 'EUR,USD' }, true],
    [{ customer_email_end_any: '@example.com' }, true],
    [{ customer_status_in: 'repeat' }, false],
    [{ line_items_sku_code_eq: 'SKU-A' }, true],
    [{ line_items_sku_code_eq: 'SKU-B' }, false],
    [{ subtotal_amount_cents_gteq: 10_000 }, true],
    [{ subtotal_amount_cents_gt: 10_000 }, false],
    [{ total_amount_cents_gteq: 10_000, status_eq: 'pending' }, true],
    [{}, true],
  ])('of filters %j see the order as it will be: %s', async (filters, isMet) => {
    const promotion = await promote('percentage_discount', { percentage: 10 })
    await rule('custom', promotion, 'percentage_discount', { filters })
    const order = await cart('SKU-A', 2)
    expect(await discountsOf(order)).toEqual(isMet ? [['percentage_discount', -1000]] : [])
    await refresh(order)
    expect(await discountsOf(order)).toEqual(isMet ? [['percentage_discount', -1000]] : [])
  })

  it('all have to be met', async () => {
    const promotion = await promote('percentage_discount', { percentage: 10 })
    await rule('order_amount', promotion, 'percentage_discount', { order_amount_cents: 1 })
    await rule('custom', promotion, 'percentage_discount', { filters: { currency_code_eq: 'USD' } })
    expect(await discountsOf(await cart('SKU-A', 2))).toEqual([])
  })
})

test('an order says which gifts it may put in, once it meets the rules', async () => {
  const gifts = await list([4], [2])
  const promotion = await promote('free_gift', {}, { sku_list: linkTo('sku_lists', gifts) })
  await rule('order_amount', promotion, 'free_gift', { order_amount_cents: 9_999 })
  const order = await cart('SKU-A', 1)
  const offered = async () =>
    listOf(await core.get(`/api/orders/${order}/available_free_skus?sort=code`, core.tokens.admin)).data.map(
      ({ attributes }) => attributes['code'],
    )
  expect(await offered()).toEqual([])
  await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
  expect(await offered()).toEqual(['SKU-B', 'SKU-D'])
  await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 1 })
  expect(await discountsOf(order)).toEqual([['free_gift', -1500]])
  const included = await core.get(`/api/orders/${order}?include=available_free_skus`, core.tokens.admin)
  expect(singleOf(included).included?.map(({ type }) => type)).toEqual(['skus', 'skus'])
})
