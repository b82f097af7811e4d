/** Coupons of orders: who may use which, and what is counted when an order is placed, edited and cancelled. */
import { listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import {
  at,
  attributesOf,
  checkoutCalls,
  orderCalls,
  statusesOf,
  WITH_SHIPPING,
} from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { promotionCalls } from '../support/promotion-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('coupons_of_orders')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { change, changeOrder } = orderCalls(() => core)
const { cart, payable, send } = checkoutCalls(() => core)
const { promote, discountsOf, withCoupon } = promotionCalls(() => core)

const linesOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/line_items?page[size]=25`, core.tokens.admin)).data
const goodsOf = async (order: string) =>
  (await linesOf(order)).filter(({ attributes }) => attributes['item_type'] === 'skus')
const refresh = (order: string) => changeOrder(order, { _refresh: true })

describe('coupons', () => {
  it('bring their promotion while the order has the code, and go with it', async () => {
    await withCoupon()
    const order = await cart('SKU-A', 1)
    expect(await discountsOf(order)).toEqual([])
    const given = attributesOf(await changeOrder(order, { coupon_code: 'SUMMER26' }))
    expect(given).toMatchObject({ coupon_code: 'SUMMER26', discount_amount_cents: -500 })
    const line = (await linesOf(order)).find(({ attributes }) => attributes['coupon_code'] !== null)
    expect(line?.attributes['coupon_code']).toBe('SUMMER26')
    const [shirt] = await goodsOf(order)
    expect(Object.values(shirt?.attributes['discount_breakdown'] ?? {})).toEqual([
      { name: 'percentage_discount', cents: -500, weight: 1, coupon_code: 'SUMMER26' },
    ])
    const taken = attributesOf(await changeOrder(order, { coupon_code: '' }))
    expect(taken).toMatchObject({ coupon_code: null, discount_amount_cents: 0 })
  })

  it('are given with gift_card_or_coupon_code too', async () => {
    await withCoupon()
    const order = await cart('SKU-A', 1)
    const given = attributesOf(await changeOrder(order, { gift_card_or_coupon_code: 'SUMMER26' }))
    expect(given).toMatchObject({ coupon_code: 'SUMMER26', discount_amount_cents: -500 })
  })

  it.each<[string, Body, string]>([
    ['expired', { expires_at: '2020-01-02T00:00:00Z' }, 'expired'],
    ['for somebody else', { recipient_email: 'eve@example.com' }, 'invalid_recipient'],
  ])('that are %s are refused', async (_name, coupon, error) => {
    await withCoupon(coupon)
    const order = await cart('SKU-A', 1)
    expect(at(await changeOrder(order, { coupon_code: 'SUMMER26' }))).toEqual([
      ['422', '/data/attributes/coupon_code', error],
    ])
  })

  it('that do not exist are refused, in other letters too', async () => {
    await withCoupon()
    const order = await cart('SKU-A', 1)
    for (const code of ['NOTHING8', 'summer26'])
      expect(at(await changeOrder(order, { coupon_code: code }))).toEqual([
        ['422', '/data/attributes/coupon_code', 'noent_coupon'],
      ])
  })

  it('are kept without effect where the organization wants no errors', async () => {
    const setting = 'orders_invalid_coupon_errors'
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"${setting}": false}' WHERE id = 1`,
    )
    const order = await payable('SKU-A', 2)
    const given = attributesOf(await changeOrder(order, { coupon_code: 'NOTHING8' }))
    expect(given).toMatchObject({ coupon_code: 'NOTHING8', discount_amount_cents: 0 })
    expect(statusesOf(await send(order, '_place'))[0]).toBe('placed')
    await core.pool.query(`UPDATE environments SET settings = settings - '${setting}' WHERE id = 1`)
  })

  it('for a recipient are used by the recipient, and not after the order is somebody else’s', async () => {
    await withCoupon({ recipient_email: 'Ada@Example.com' })
    const order = await cart('SKU-A', 1, { coupon_code: 'SUMMER26' })
    expect(await discountsOf(order)).toEqual([['percentage_discount', -500]])
    await changeOrder(order, { customer_email: 'eve@example.com' })
    expect(await discountsOf(order)).toEqual([])
  })

  it('say themselves how long they may be used, also after their promotion', async () => {
    const { promotion } = await withCoupon({ expires_at: '2090-01-01T00:00:00Z' })
    await core.pool.query(`UPDATE promotions SET expires_at = '2020-02-01' WHERE environment_id = 1`)
    expect(promotion).not.toBe('')
    expect(await discountsOf(await cart('SKU-A', 1, { coupon_code: 'SUMMER26' }))).toHaveLength(1)
  })
})

describe('uses', () => {
  const countsOf = async () => {
    const { rows } = await core.pool.query<Record<string, unknown>>(
      `SELECT (SELECT sum(usage_count)::int FROM coupons) AS coupons,
        (SELECT sum(total_usage_count)::int FROM promotions) AS promotions`,
    )
    return Object.values(rows[0] ?? {})
  }

  it('are counted when the order is placed and given back when it is cancelled', async () => {
    await withCoupon()
    const order = await payable('SKU-A', 2, { coupon_code: 'SUMMER26' })
    expect(await countsOf()).toEqual([0, 0])
    await send(order, '_place')
    await send(order, '_place')
    expect(await countsOf()).toEqual([1, 1])
    await send(order, '_cancel')
    expect(await countsOf()).toEqual([0, 0])
  })

  it('of a coupon end at its limit: the next order cannot have it', async () => {
    await withCoupon({ usage_limit: 1 })
    const [first, second] = [
      await payable('SKU-A', 1, { coupon_code: 'SUMMER26' }),
      await payable('SKU-A', 1, { coupon_code: 'SUMMER26' }),
    ]
    expect(statusesOf(await send(first, '_place'))[0]).toBe('placed')
    expect(at(await send(second, '_place'))).toEqual([['422', '/data/attributes/coupon_code', 'usage_limit']])
    await refresh(second)
    expect(await discountsOf(second)).toEqual([])
    expect(at(await send(second, '_place'))).toEqual([['422', '/data/attributes/coupon_code', 'usage_limit']])
    await changeOrder(second, { coupon_code: null })
    expect(statusesOf(await send(second, '_place'))[0]).toBe('placed')
  })

  it('of a coupon once per customer end with the first order of each', async () => {
    await withCoupon({ customer_single_use: true })
    const first = await payable('SKU-A', 1, { coupon_code: 'SUMMER26' })
    await send(first, '_place')
    const again = await cart('SKU-A', 1)
    expect(at(await changeOrder(again, { coupon_code: 'SUMMER26' }))).toEqual([
      ['422', '/data/attributes/coupon_code', 'already_used'],
    ])
    const other = await payable('SKU-A', 1, { coupon_code: 'SUMMER26', customer_email: 'eve@example.com' })
    expect(statusesOf(await send(other, '_place'))[0]).toBe('placed')
  })

  it('of a promotion end at its limit, and an order that has it already says so', async () => {
    await promote('percentage_discount', { percentage: 10, total_usage_limit: 1 })
    const [first, second] = [await payable('SKU-A', 1), await payable('SKU-A', 1)]
    await send(first, '_place')
    expect(at(await send(second, '_place'))).toEqual([
      ['422', '/data/attributes/discount_amount_cents', 'promotion_not_active'],
    ])
    await refresh(second)
    expect(statusesOf(await send(second, '_place'))[0]).toBe('placed')
  })

  it('follow what an edited order has in the end', async () => {
    const promotion = await promote('percentage_discount', { percentage: 10, total_usage_limit: 1 })
    const order = await payable('SKU-A', 2)
    await send(order, '_place')
    await send(order, '_start_editing')
    const [shirts] = await goodsOf(order)
    await change(core.tokens.admin, shirts?.id ?? '', { quantity: 1 })
    // Its own use keeps nothing away from it.
    expect(await discountsOf(order)).toEqual([['percentage_discount', -500]])
    await core.pool.query('UPDATE promotions SET disabled_at = now()')
    await refresh(order)
    expect(statusesOf(await send(order, '_stop_editing'))[0]).toBe('placed')
    const shown = await core.get(`/api/promotions/${promotion}`, core.tokens.admin)
    expect(attributesOf(shown)).toMatchObject({ total_usage_count: 0, status: 'disabled' })
  })
})
