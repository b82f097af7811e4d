import { computed, instant, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import type { Rule } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { audited, observed } from '../definitions/shared-relationships.ts'

/** The token proves nothing without a password to set, and a password needs the proof. */
const tokenWithPassword: Rule = ({ sent }) => {
  const names = ['_reset_password_token', 'customer_password']
  const [absent, ...both] = names.filter((name) => !sent.has(name))
  if (absent === undefined || both.length > 0) return {}
  return { violations: [{ at: { attribute: absent }, error: 'blank', message: "can't be blank" }] }
}

/** How a customer who forgot the password sets another one: whoever sends the mail reads the token, the customer sends it. */
export const customerPasswordResets = defineResource('customer_password_resets', {
  summary: 'How a customer who forgot the password sets another one.',
  model: 'customerPasswordReset',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    customer_email: email({ write: 'create', required: true }),
    reset_password_token: computed(({ sealed_token: sealed }, { openSecret }) => openSecret?.(sealed), {
      columns: ['sealed_token'],
      secret: true,
    }),
    // The command reads it (reset-password.ts); only its hash is stored, in the customer.
    customer_password: computed(() => null, { write: 'update', show: 'never' }),
    reset_password_at: instant({ filter: true }),
    _reset_password_token: trigger({ carries: 'text', isCommand: true }),
  },
  relationships: {
    customer: toOne('customers', { include: true, filter: true, sort: true }),
    ...observed,
    ...audited,
  },
  rules: [tokenWithPassword],
})
