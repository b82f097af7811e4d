import { cents } from '@merx/jsonapi/attributes'
import { definePromotion } from '../define-promotion.ts'
import { goodsOf, worthOfUnits } from '../discounted-order.ts'
import { amountsInCurrency } from '../promotion-currency.ts'
import type { PromotionKind } from '../promotion-kind.ts'

/** One unit of the articles of a list costs this, where it would cost more. Options cost what they cost. */
export const fixedPrice: PromotionKind = {
  definition: definePromotion('fixed_price_promotions', {
    summary: 'The price of one unit of the articles of a list.',
    skuList: 'required',
    needsCurrency: true,
    attributes: { fixed_amount_cents: cents({ write: 'always', required: true, min: 0 }) },
    rules: [amountsInCurrency],
  }),
  pricesUnits: true,
  discount: ({ promotion: { fixed_amount_cents: price, sku_list_id: list } }, order) =>
    goodsOf(order, list).map((line) => ({
      line,
      cents: line.isPriced
        ? 0
        : Math.max(0, worthOfUnits(line, line.quantity) - (price ?? 0) * line.quantity),
    })),
}
