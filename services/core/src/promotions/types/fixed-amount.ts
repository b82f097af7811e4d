import { cents } from '@merx/jsonapi/attributes'
import { definePromotion } from '../define-promotion.ts'
import { allocate, goodsOf } from '../discounted-order.ts'
import { amountsInCurrency } from '../promotion-currency.ts'
import type { PromotionKind } from '../promotion-kind.ts'

/** An amount off the articles of a list, or off all, as far as they are worth it. */
export const fixedAmount: PromotionKind = {
  definition: definePromotion('fixed_amount_promotions', {
    summary: 'An amount off the articles of a list, or off all.',
    skuList: 'optional',
    needsCurrency: true,
    attributes: { fixed_amount_cents: cents({ write: 'always', required: true, min: 0 }) },
    rules: [amountsInCurrency],
  }),
  pricesUnits: false,
  discount: ({ promotion: { fixed_amount_cents: amount, sku_list_id: list } }, order) =>
    allocate(amount ?? 0, goodsOf(order, list)),
}
