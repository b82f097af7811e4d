import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

const personName = () => text({ write: 'always', max: 255, filter: true })

/** Somebody whom gift cards are for; nobody else can use them. */
export const giftCardRecipients = defineResource('gift_card_recipients', {
  summary: 'Somebody whom gift cards are for.',
  model: 'giftCardRecipient',
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
