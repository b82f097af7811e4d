import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import { promotionOfRule } from '../promotion-rules.ts'
import type { RuleKind } from './rule-kind.ts'

/** The order has a valid coupon of this rule. A coupon names its rule when it is written. */
export const couponCodes: RuleKind = {
  definition: defineResource('coupon_codes_promotion_rules', {
    summary: 'A promotion is for orders with one of its coupons.',
    model: 'promotionRule',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'promotion_rules',
    attributes: {},
    relationships: {
      promotion: promotionOfRule(),
      coupons: toMany('coupons', { inverse: 'promotion_rule', include: true, filter: true }),
      ...versioned,
    },
  }),
  isMet: (_rule, { coupon }) => coupon !== undefined,
}
