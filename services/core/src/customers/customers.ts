import { computed, integer, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { notYet } from '../definitions/not-supported.ts'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import {
  attachable,
  audited,
  observed,
  tagAction,
  tagTriggers,
  tagged,
  tokenBound,
} from '../definitions/shared-relationships.ts'
import { customerTopics } from './customer-topics.ts'
import { hashPassword } from './hash-password.ts'

/** Who buys. A password lets them use the password grant. */
export const customers = defineResource('customers', {
  summary: 'Who buys.',
  model: 'customer',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    email: email({ required: true, unique: true, filter: true, sort: true }),
    // Sent in the clear, stored as the hash that the rule makes of it, never shown.
    password: text({ column: 'password_hash', write: 'always', min: 6, max: 128, show: 'never' }),
    status: oneOf(['prospect', 'acquired', 'repeat'], { filter: true, sort: true }),
    has_password: computed((row) => row['password_hash'] !== null, { columns: ['password_hash'] }),
    total_orders_count: integer({ filter: true, sort: true }),
    shopper_reference: text({ write: 'always', min: 3, max: 128 }),
    profile_id: text({ write: 'always', min: 3, max: 128 }),
    tax_exemption_code: text({ write: 'always', max: 255 }),
    jwt_custom_claim: computed((_row, { customClaim }) => customClaim ?? null),
    anonymization_info: object(),
    anonymization_status: text({ filter: true, sort: true }),
    _request_anonymization: trigger({ prohibited: true, action: 'anonymize' }),
    _cancel_anonymization: trigger({ prohibited: true, action: 'anonymize' }),
    ...tagTriggers,
  },
  relationships: {
    customer_group: toOne('customer_groups', { write: 'always', include: true, filter: true, sort: true }),
    orders: toMany('orders', { inverse: 'customer', include: true }),
    customer_addresses: toMany('customer_addresses', { inverse: 'customer', include: true, filter: true }),
    customer_payment_sources: toMany('customer_payment_sources', {
      inverse: 'customer',
      include: true,
      filter: true,
    }),
    customer_subscriptions: toMany('customer_subscriptions', {
      inverse: 'customer',
      include: true,
      filter: true,
    }),
    order_subscriptions: toMany('order_subscriptions', { inverse: 'customer', include: true, filter: true }),
    returns: toMany('returns', { inverse: 'customer', include: true, filter: true }),
    sku_lists: toMany('sku_lists', { inverse: 'customer', include: true, filter: true }),
    ...attachable,
    ...observed,
    ...tagged('customer_id'),
    ...tokenBound,
    ...audited,
  },
  actions: {
    ...tagAction,
    // The rule refuses every write that starts it.
    anonymize: () => ({}),
  },
  rules: [
    hashPassword('password', 'password_hash'),
    customerTopics,
    notYet(['_request_anonymization', '_cancel_anonymization'], 'the job that anonymizes is not built'),
  ],
  onDelete: refuseWhileReferencedBy('orders'),
})
