/** Promotions, rules, coupons and recipients as resources: what they take, what they refuse, and who sees them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { ALWAYS, promotionCalls } from '../support/promotion-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('promotion_records')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { send, make, promote, rule, list, withCoupon } = promotionCalls(() => core)
const read = async (path: string, token = core.tokens.admin) => attributesOf(await core.get(path, token))
const change = (type: string, id: string, attributes: Body, relationships: Body = {}) =>
  core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, {
    data: { type, id, attributes, relationships },
  })

describe('a promotion', () => {
  it('shows what follows from its columns', async () => {
    const id = await promote('percentage_discount', { percentage: 20, priority: 3 })
    expect(await read(`/api/promotions/${id}`)).toMatchObject({
      name: 'percentage_discount',
      currency_code: null,
      exclusive: false,
      priority: 3,
      total_usage_count: 0,
      total_usage_reached: false,
      active: true,
      status: 'active',
      coupons_count: 0,
      disabled_at: null,
    })
    expect(await read(`/api/percentage_discount_promotions/${id}`)).toMatchObject({ percentage: 20 })
  })

  it.each<[string, Body]>([
    ['pending', { starts_at: '2098-01-01T00:00:00Z' }],
    ['expired', { expires_at: '2020-01-02T00:00:00Z' }],
    ['disabled', { _disable: true }],
  ])('is %s by its dates and switch', async (status, attributes) => {
    const id = await promote('free_shipping', attributes)
    expect(await read(`/api/free_shipping_promotions/${id}`)).toMatchObject({ status, active: false })
  })

  it('has the currency of its market', async () => {
    const id = await promote('fixed_amount', { fixed_amount_cents: 500 }, { market: one('markets', 2) })
    expect(await read(`/api/fixed_amount_promotions/${id}`)).toMatchObject({
      currency_code: 'USD',
      formatted_fixed_amount: '$5.00',
    })
    const moved = await change('fixed_amount_promotions', id, {}, { market: one('markets', 1) })
    expect(at(moved)).toEqual([['422', '/data/attributes/fixed_amount_cents', 'currency_mismatch']])
    const both = await change(
      'fixed_amount_promotions',
      id,
      { fixed_amount_cents: 400 },
      { market: one('markets', 1) },
    )
    expect(attributesOf(both)).toMatchObject({ currency_code: 'EUR', formatted_fixed_amount: '€4,00' })
  })

  it.each<[string, string, Body, Body, readonly unknown[]]>([
    ['no dates', 'free_shipping', { starts_at: null }, {}, ['/data/attributes/starts_at', 'blank']],
    [
      'an end before the start',
      'free_shipping',
      { expires_at: '2019-01-01T00:00:00Z' },
      {},
      ['/data/attributes/expires_at', 'invalid'],
    ],
    [
      'more than all',
      'percentage_discount',
      { percentage: 101 },
      {},
      ['/data/attributes/percentage', 'less_than_or_equal_to'],
    ],
    [
      'less than nothing',
      'percentage_discount',
      { percentage: -1 },
      {},
      ['/data/attributes/percentage', 'greater_than_or_equal_to'],
    ],
    [
      'an amount without currency',
      'fixed_amount',
      { fixed_amount_cents: 100 },
      {},
      ['/data/attributes/currency_code', 'blank'],
    ],
    [
      'another currency than the market',
      'fixed_amount',
      { fixed_amount_cents: 100, currency_code: 'USD' },
      { market: one('markets', 1) },
      ['/data/attributes/currency_code', 'currency_mismatch'],
    ],
    ['no list', 'buy_x_pay_y', { x: 3, y: 2 }, {}, ['/data/relationships/sku_list', 'blank']],
    [
      'a priority below zero',
      'free_shipping',
      { priority: -1 },
      {},
      ['/data/attributes/priority', 'greater_than_or_equal_to'],
    ],
    [
      'an address that is none',
      'external',
      { promotion_url: 'ftp://example.com' },
      {},
      ['/data/attributes/promotion_url', 'invalid'],
    ],
  ])('is refused with %s', async (_name, kind, attributes, relationships, expected) => {
    const sent = { name: 'Sale', ...ALWAYS, ...attributes }
    expect(at(await send(`${kind}_promotions`, sent, relationships)).map(([, ...error]) => error)).toEqual([
      expected,
    ])
  })

  it('pays fewer than it counts', async () => {
    const skus = linkTo('sku_lists', await list([1]))
    for (const [x, y] of [
      [3, 3],
      [2, 3],
    ])
      expect(
        at(await send('buy_x_pay_y_promotions', { name: 'Sale', ...ALWAYS, x, y }, { sku_list: skus })),
      ).toEqual([['422', '/data/attributes/y', 'less_than']])
  })

  it('gives gifts of a list by hand', async () => {
    const pattern = await make('sku_lists', { name: 'Pattern', manual: false, sku_code_regex: '^SKU' })
    const sent = { name: 'Gift', ...ALWAYS }
    expect(at(await send('free_gift_promotions', sent, { sku_list: linkTo('sku_lists', pattern) }))).toEqual([
      ['422', '/data/relationships/sku_list', 'invalid'],
    ])
  })

  it('has the SKUs of its list, and is found by them', async () => {
    const skus = await list([1], [2])
    const id = await promote(
      'percentage_discount',
      { percentage: 5 },
      { sku_list: linkTo('sku_lists', skus) },
    )
    const type = 'percentage_discount_promotions'
    const found = listOf(await core.get(`/api/${type}/${id}/skus`, core.tokens.admin)).data
    expect(found.map(({ attributes }) => attributes['code'])).toEqual(['SKU-A', 'SKU-B'])
    const byCode = async (code: string) =>
      listOf(await core.get(`/api/${type}?filter[q][sku_code_eq]=${code}`, core.tokens.admin)).meta
        .record_count
    expect([await byCode('SKU-A'), await byCode('SKU-C')]).toEqual([1, 0])
    const held = await core.send('DELETE', `/api/sku_lists/${skus}`, core.tokens.admin)
    expect(held.status).toBe(423)
  })

  it('takes its rules and coupons along when it is deleted', async () => {
    const { promotion, rule: ruleId, coupon } = await withCoupon()
    const type = 'percentage_discount_promotions'
    expect((await core.send('DELETE', `/api/${type}/${promotion}`, core.tokens.admin)).status).toBe(204)
    for (const path of [`coupon_codes_promotion_rules/${ruleId}`, `coupons/${coupon}`])
      expect((await core.get(`/api/${path}`, core.tokens.admin)).status).toBe(404)
  })
})

describe('a rule', () => {
  it('is one of its type, and the promotion shows it', async () => {
    const id = await promote('fixed_amount', { fixed_amount_cents: 100, currency_code: 'EUR' })
    const ruleId = await rule('order_amount', id, 'fixed_amount', { order_amount_cents: 5000 })
    expect(await read(`/api/order_amount_promotion_rules/${ruleId}`)).toMatchObject({
      formatted_order_amount: '€50,00',
      use_subtotal: false,
    })
    const again = await send(
      'order_amount_promotion_rules',
      { order_amount_cents: 1 },
      { promotion: linkTo('fixed_amount_promotions', id) },
    )
    expect(again.status).toBe(409)
    const shown = singleOf(
      await core.get(
        `/api/promotions/${id}?include=order_amount_promotion_rule,promotion_rules`,
        core.tokens.admin,
      ),
    )
    expect(shown.included?.map(({ type }) => type)).toContain('order_amount_promotion_rules')
  })

  it.each<[string, Body]>([
    ['no attribute', { nothing_eq: 1 }],
    ['no predicate', { status_is: 'draft' }],
    ['a value of another kind', { subtotal_amount_cents_gt: 'much' }],
    ['51 of them', Object.fromEntries(Array.from({ length: 51 }, (_none, n) => [`number_eq_${n}`, '1']))],
  ])('of filters refuses %s', async (_name, filters) => {
    const id = await promote('free_shipping')
    const response = await send(
      'custom_promotion_rules',
      { filters },
      { promotion: linkTo('free_shipping_promotions', id) },
    )
    expect(at(response).map(([status, pointer]) => [status, pointer])).toEqual([
      ['422', '/data/attributes/filters'],
    ])
  })
})

describe('a coupon', () => {
  it.each<[string, string, string]>([
    ['short', 'SEVEN77', 'too_short'],
    ['long', 'X'.repeat(41), 'too_long'],
  ])('refuses a code that is too %s', async (_name, code, error) => {
    const { rule: ruleId } = await withCoupon()
    const link = { promotion_rule: linkTo('coupon_codes_promotion_rules', ruleId) }
    expect(at(await send('coupons', { code }, link))).toEqual([['422', '/data/attributes/code', error]])
  })

  it('has a code of its own in its rule, and may share it with another rule', async () => {
    const { rule: ruleId } = await withCoupon()
    const link = { promotion_rule: linkTo('coupon_codes_promotion_rules', ruleId) }
    expect((await send('coupons', { code: 'SUMMER26' }, link)).status).toBe(409)
    await withCoupon()
  })

  it('is counted by its promotion', async () => {
    const { promotion, rule: ruleId, coupon } = await withCoupon()
    const link = { promotion_rule: linkTo('coupon_codes_promotion_rules', ruleId) }
    await make('coupons', { code: 'AUTUMN26' }, link)
    const countOf = async (id: string) => (await read(`/api/promotions/${id}`))['coupons_count']
    expect(await countOf(promotion)).toBe(2)
    const other = await withCoupon({ code: 'WINTER26' })
    await change(
      'coupons',
      coupon,
      {},
      { promotion_rule: linkTo('coupon_codes_promotion_rules', other.rule) },
    )
    expect([await countOf(promotion), await countOf(other.promotion)]).toEqual([1, 2])
    await core.send('DELETE', `/api/coupons/${coupon}`, core.tokens.admin)
    expect(await countOf(other.promotion)).toBe(1)
  })

  it('finds or makes the recipient of an email, and follows a new one', async () => {
    const { coupon, rule: ruleId } = await withCoupon({ recipient_email: 'Ada@Example.com' })
    const link = { promotion_rule: linkTo('coupon_codes_promotion_rules', ruleId) }
    await make('coupons', { code: 'AUTUMN26', recipient_email: 'ada@example.com' }, link)
    const recipients = listOf(await core.get('/api/coupon_recipients', core.tokens.admin)).data
    expect(recipients.map(({ attributes }) => attributes['email'])).toEqual(['ada@example.com'])
    const recipient = recipients[0]?.id ?? ''
    await change('coupon_recipients', recipient, { email: 'grace@example.com' })
    expect(await read(`/api/coupons/${coupon}`)).toMatchObject({ recipient_email: 'grace@example.com' })
    const held = await core.send('DELETE', `/api/coupon_recipients/${recipient}`, core.tokens.admin)
    expect(held.status).toBe(423)
    const nobody = attributesOf(await change('coupons', coupon, { recipient_email: null }))
    expect(nobody['recipient_email']).toBeNull()
  })

  it('refuses an email that is not that of its recipient', async () => {
    const { coupon } = await withCoupon()
    const recipient = await make('coupon_recipients', { email: 'ada@example.com' })
    const link = { coupon_recipient: linkTo('coupon_recipients', recipient) }
    expect(at(await change('coupons', coupon, { recipient_email: 'eve@example.com' }, link))).toEqual([
      ['422', '/data/attributes/recipient_email', 'invalid'],
    ])
    expect(attributesOf(await change('coupons', coupon, {}, link))['recipient_email']).toBe('ada@example.com')
  })
})

test('a shop sees the enabled promotions of its market, and no coupons', async () => {
  const guest = await core.tokens.mint(salesChannel([1]))
  await promote('free_shipping', { name: 'Everywhere' })
  await promote('free_shipping', { name: 'Disabled', _disable: true })
  await promote('free_shipping', { name: 'America' }, { market: one('markets', 2) })
  await withCoupon()
  const names = listOf(await core.get('/api/promotions?sort=id', guest)).data.map(
    ({ attributes }) => attributes['name'],
  )
  expect(names).toEqual(['Everywhere', 'percentage_discount'])
  for (const path of ['coupons', 'coupon_recipients', 'promotion_rules', 'free_shipping_promotions'])
    expect((await core.get(`/api/${path}`, guest)).status).toBe(401)
  const ada = await core.tokens.mint(customer(1, [1]))
  expect((await core.get('/api/coupons', ada)).status).toBe(401)
  expect(encodeId('promotions', 1)).not.toBe('')
})
