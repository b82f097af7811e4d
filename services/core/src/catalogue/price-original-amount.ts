import type { Rule } from '@merx/jsonapi/rules'

/** The amount before rules (price-rules/), which change what is read, not what is stored. */
export const originalAmount: Rule = ({ sent, after }) =>
  sent.has('amount_cents') ? { set: { original_amount_cents: after['amount_cents'] } } : {}
