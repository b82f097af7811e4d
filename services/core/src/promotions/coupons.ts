import { boolean, instant, integer, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { observed, tagAction, tagged, tagTriggers, versioned } from '../definitions/shared-relationships.ts'
import { CODE_CHARACTERS_MAX } from './code-length.ts'

const COUNT_MAX = 2_147_483_647

/** A code that brings a promotion: for anybody or one recipient, for any number of orders or so many. */
export const coupons = defineResource('coupons', {
  summary: 'A code that brings a promotion.',
  model: 'coupon',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    code: text({
      write: 'always',
      required: true,
      max: CODE_CHARACTERS_MAX,
      pattern: /^\S(.*\S)?$/u,
      filter: true,
      sort: true,
    }),
    customer_single_use: boolean({ write: 'always', default: false, filter: true, sort: true }),
    usage_limit: integer({ write: 'always', min: 1, max: COUNT_MAX, filter: true, sort: true }),
    usage_count: integer({ filter: true, sort: true }),
    recipient_email: email(),
    expires_at: instant({ write: 'always', filter: true, sort: true }),
    ...tagTriggers,
  },
  relationships: {
    promotion_rule: toOne('coupon_codes_promotion_rules', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
    }),
    coupon_recipient: toOne('coupon_recipients', {
      write: 'always',
      include: true,
      filter: true,
      sort: true,
    }),
    ...observed,
    ...tagged('coupon_id'),
    ...versioned,
  },
  actions: tagAction,
})
