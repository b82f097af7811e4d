import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import { PAYMENT_SOURCE_TYPES } from '../payment-methods.ts'
import { noCardNumbers } from './no-card-numbers.ts'

/** An entry of a customer's wallet: a payment source that later orders are paid with. */
export const customerPaymentSources = defineResource('customer_payment_sources', {
  summary: 'A payment source in the wallet of a customer.',
  model: 'customerPaymentSource',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: text({ filter: true }),
    customer_token: text({ write: 'always' }),
    payment_source_token: text({ write: 'always', filter: true }),
  },
  relationships: {
    customer: toOne('customers', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    payment_method: toOne('payment_methods', { write: 'always', include: true, filter: true }),
    payment_source: polymorphicToOne(PAYMENT_SOURCE_TYPES, {
      write: 'always',
      include: true,
      endpoint: false,
    }),
    ...versioned,
  },
  rules: [noCardNumbers],
})
