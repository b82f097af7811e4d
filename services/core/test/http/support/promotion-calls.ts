/** Requests that make promotions, rules, coupons and lists of SKUs. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo } from './order-calls.ts'
import type { Body, Response } from './order-calls.ts'

export const ALWAYS = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' } as const

export const promotionCalls = (core: () => TestCore) => {
  const send = (type: string, attributes: Body, relationships: Body = {}): Promise<Response> =>
    core().send('POST', `/api/${type}`, core().tokens.admin, { data: { type, attributes, relationships } })

  const make = async (type: string, attributes: Body, relationships: Body = {}): Promise<string> => {
    const response = await send(type, attributes, relationships)
    if (response.status !== 201) throw new Error(JSON.stringify(errorsOf(response)))
    return singleOf(response).data.id
  }

  const promote = (kind: string, attributes: Body = {}, relationships: Body = {}): Promise<string> =>
    make(`${kind}_promotions`, { name: kind, ...ALWAYS, ...attributes }, relationships)

  return {
    send,
    make,
    /** In force, unless it says otherwise; without currency where its type needs none. */
    promote,
    /** Ten percent for orders with the code SUMMER26. */
    withCoupon: async (coupon: Body = {}) => {
      const promotion = await promote('percentage_discount', { percentage: 10 })
      const rule = await make(
        'coupon_codes_promotion_rules',
        {},
        { promotion: linkTo('percentage_discount_promotions', promotion) },
      )
      const id = await make(
        'coupons',
        { code: 'SUMMER26', ...coupon },
        { promotion_rule: linkTo('coupon_codes_promotion_rules', rule) },
      )
      return { promotion, rule, coupon: id }
    },
    rule: (
      kind: string,
      promotion: string,
      promotionKind: string,
      attributes: Body = {},
      relationships: Body = {},
    ) =>
      make(`${kind}_promotion_rules`, attributes, {
        promotion: linkTo(`${promotionKind}_promotions`, promotion),
        ...relationships,
      }),
    /** By hand: SKU number → quantity, in this order. */
    list: async (...skus: readonly (readonly [number, number?])[]): Promise<string> => {
      const id = await make('sku_lists', { name: 'A list' })
      for (const [at, [sku, quantity = 1]] of skus.entries())
        await make(
          'sku_list_items',
          { position: at + 1, quantity },
          { sku_list: linkTo('sku_lists', id), sku: linkTo('skus', encodeId('skus', sku)) },
        )
      return id
    },
    /** What the lines of an order's promotions take, by their names, sorted. */
    discountsOf: async (order: string): Promise<readonly (readonly unknown[])[]> =>
      listOf(await core().get(`/api/orders/${order}/line_items?page[size]=25`, core().tokens.admin))
        .data.filter(({ attributes }) => String(attributes['item_type']).endsWith('_promotions'))
        .map(({ attributes }) => [attributes['name'], attributes['total_amount_cents']])
        .toSorted(),
  }
}
