import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

const personName = () => text({ write: 'always', max: 255, filter: true })

/** Somebody whom coupons are for; nobody else can use them. */
export const couponRecipients = defineResource('coupon_recipients', {
  summary: 'Somebody whom coupons are for.',
  model: 'couponRecipient',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    email: email({ required: true, filter: true, sort: true }),
    first_name: personName(),
    last_name: personName(),
  },
  relationships: {
    customer: toOne('customers', { write: 'always', include: true, filter: true, sort: true }),
    ...attachable,
    ...versioned,
  },
})
