import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'

/** What a customer is subscribed to, such as a newsletter: its `reference` says what, once per customer. */
export const customerSubscriptions = defineResource('customer_subscriptions', {
  summary: 'What a customer is subscribed to, such as a newsletter.',
  model: 'customerSubscription',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    customer_email: email({ write: 'create', required: true }),
  },
  relationships: {
    customer: toOne('customers', { include: true, filter: true, sort: true }),
    ...observed,
    ...versioned,
  },
})
