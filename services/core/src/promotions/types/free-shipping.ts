import { definePromotion } from '../define-promotion.ts'
import type { PromotionKind } from '../promotion-kind.ts'

/** What shipping costs is taken off. */
export const freeShipping: PromotionKind = {
  definition: definePromotion('free_shipping_promotions', {
    summary: 'Shipping for nothing.',
    skuList: 'whole order',
  }),
  pricesUnits: false,
  discount: (_candidate, { lines }) =>
    lines.filter(({ group }) => group === 'shipping').map((line) => ({ line, cents: line.leftCents })),
}
