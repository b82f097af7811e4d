import type { Area } from '../engine/area.ts'
import { couponRecipients } from './coupon-recipients.ts'
import { couponWorkflow } from './coupon-workflow.ts'
import { coupons } from './coupons.ts'
import { customRuleWorkflow } from './custom-filters.ts'
import {
  discountEngineItemOfOrder,
  discountEngineItemVisibility,
  discountEngines,
} from './discount-engines.ts'
import { flexWorkflow } from './flex-workflow.ts'
import { promotionRules } from './promotion-rules.ts'
import { PROMOTION_TYPES } from './promotion-types.ts'
import { promotions as allPromotions } from './promotions.ts'
import { couponsOfPromotion, ruleOfPromotion } from './relationships.ts'
import { ruleKinds } from './rules/kinds.ts'
import { kinds } from './types/kinds.ts'
import { couponVisibility, ofPromotionVisibility, promotionVisibility } from './visibility.ts'

const ofEach = <Value>(types: readonly string[], value: Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(types.map((type) => [type, value]))

export const promotions: Area = {
  resources: [
    allPromotions,
    ...kinds.map(({ definition }) => definition),
    promotionRules,
    ...Object.values(ruleKinds).map(({ definition }) => definition),
    coupons,
    couponRecipients,
    ...discountEngines,
  ],
  visibility: {
    ...ofEach(['promotions', ...PROMOTION_TYPES], promotionVisibility),
    ...ofEach(['promotion_rules', ...Object.keys(ruleKinds)], ofPromotionVisibility),
    coupons: couponVisibility,
    discount_engine_items: discountEngineItemVisibility,
  },
  workflows: {
    coupons: couponWorkflow,
    custom_promotion_rules: customRuleWorkflow,
    flex_promotions: flexWorkflow,
  },
  topics: {
    ...ofEach(PROMOTION_TYPES, ['create', 'destroy', 'tagged']),
    external_promotions: ['create', 'destroy', 'failed', 'tagged'],
    coupons: ['tagged'],
  },
  virtualRelationships: {
    rule_of_promotion: ruleOfPromotion,
    coupons_of_promotion: couponsOfPromotion,
    discount_engine_item_of_order: discountEngineItemOfOrder,
  },
  cacheable: ['promotions', ...PROMOTION_TYPES],
}
