import type { Rule } from '@merx/jsonapi/rules'

/** The amount before price rules; they do not run yet, so it is the amount. */
export const originalAmount: Rule = ({ sent, after }) =>
  sent.has('amount_cents') ? { set: { original_amount_cents: after['amount_cents'] } } : {}
