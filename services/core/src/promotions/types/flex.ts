import { computed, object } from '@merx/jsonapi/attributes'
import { definePromotion } from '../define-promotion.ts'
import { discountLines } from '../discount-lines.ts'
import type { PromotionKind } from '../promotion-kind.ts'

/** What rules say, that a merchant writes as JSON (rules-engine/). */
export const flex: PromotionKind = {
  definition: definePromotion('flex_promotions', {
    summary:
      'A discount that rules describe: conditions of the order, and what is then taken off which lines.',
    skuList: 'own rules',
    attributes: {
      rules: object({ write: 'always', required: true, filter: true, show: 'single' }),
      // What came of the rules is on the lines of orders, and POST /api/rules/check shows it for any order.
      rule_outcomes: computed(() => null, { show: 'single' }),
      resource_payload: computed(() => null, { show: 'single' }),
    },
  }),
  pricesUnits: false,
  discount: ({ flex: outcome }, order) => discountLines(outcome?.actions ?? [], order),
}
