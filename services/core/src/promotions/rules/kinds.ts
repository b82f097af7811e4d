/** All types of rules. */
import type { RuleType } from '../promotion-kind.ts'
import { couponCodes } from './coupon-codes.ts'
import { custom } from './custom.ts'
import { orderAmount } from './order-amount.ts'
import type { RuleKind } from './rule-kind.ts'
import { skuList } from './sku-list.ts'

export const ruleKinds: Readonly<Record<RuleType, RuleKind>> = {
  order_amount_promotion_rules: orderAmount,
  sku_list_promotion_rules: skuList,
  coupon_codes_promotion_rules: couponCodes,
  custom_promotion_rules: custom,
}
