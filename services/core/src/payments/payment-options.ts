import { object, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, audited } from '../definitions/shared-relationships.ts'
import { PAYMENT_SOURCE_TYPES } from './payment-methods.ts'

/** What an order adds to the requests of a payment gateway. */
export const paymentOptions = defineResource('payment_options', {
  summary: 'What an order adds to the requests of a payment gateway.',
  model: 'paymentOption',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name({ required: false }),
    payment_source_type: oneOf(PAYMENT_SOURCE_TYPES, {
      write: 'create',
      required: true,
      filter: true,
      sort: true,
    }),
    data: object({ write: 'always', required: true, filter: true }),
  },
  relationships: {
    order: toOne('orders', { write: 'always', required: true, include: true, filter: true, sort: true }),
    ...attachable,
    ...audited,
  },
})
