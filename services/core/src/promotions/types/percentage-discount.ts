import { integer } from '@merx/jsonapi/attributes'
import { ratioOf } from '../../definitions/ratio.ts'
import { definePromotion } from '../define-promotion.ts'
import { allocate, goodsOf, sumLeft } from '../discounted-order.ts'
import type { PromotionKind } from '../promotion-kind.ts'

/** A percentage of what is left of the articles of a list, or of all. */
export const percentageDiscount: PromotionKind = {
  definition: definePromotion('percentage_discount_promotions', {
    summary: 'A percentage off the articles of a list, or off all.',
    skuList: 'optional',
    attributes: { percentage: integer({ write: 'always', required: true, min: 0, max: 100 }) },
  }),
  pricesUnits: false,
  discount: ({ promotion: { percentage, sku_list_id: list } }, order) => {
    const lines = goodsOf(order, list)
    return allocate(ratioOf(sumLeft(lines), percentage ?? 0, 100), lines)
  },
}
