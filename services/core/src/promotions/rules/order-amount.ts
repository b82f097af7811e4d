import { boolean, cents } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { Rule } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import { promotionOfRule } from '../promotion-rules.ts'
import type { RuleKind } from './rule-kind.ts'

/** The amount is in the currency of the promotion; without one it is compared in that of each order. */
const currencyOfPromotion: Rule = async ({ after, sent, find }) => {
  if (!sent.has('promotion')) return {}
  const promotion = await find.byNumber('promotions', after['promotion_id'], ['currency_code'])
  return promotion === undefined ? {} : { set: { currency_code: promotion['currency_code'] } }
}

/** The order costs more than an amount: after the promotions before, or with `use_subtotal` before all. */
export const orderAmount: RuleKind = {
  definition: defineResource('order_amount_promotion_rules', {
    summary: 'A promotion is for orders that cost more than an amount.',
    model: 'promotionRule',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'promotion_rules',
    attributes: {
      order_amount_cents: cents({ write: 'always', min: 0 }),
      use_subtotal: boolean({ write: 'always', default: false }),
    },
    relationships: { promotion: promotionOfRule(), ...versioned },
    rules: [currencyOfPromotion],
  }),
  isMet: ({ order_amount_cents: threshold, use_subtotal: isSubtotal }, _candidate, order) =>
    threshold === null || (isSubtotal ? order.subtotalCents : order.amountCents) > threshold,
}
