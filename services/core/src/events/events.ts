import { text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { notYet } from '../definitions/not-supported.ts'
import { noneOf } from '../definitions/placeholder-types.ts'
import { audited } from '../definitions/shared-relationships.ts'

/** What happened to a record, `orders.pending`; made by writes, for those who wait for it. */
export const events = defineResource('events', {
  summary: 'What happened to a record.',
  model: 'event',
  operations: ['list', 'retrieve', 'update'],
  scope: 'environment',
  attributes: {
    name: text({ filter: true, sort: true }),
    _trigger: trigger({ prohibited: true }),
  },
  relationships: {
    webhooks: noneOf('webhooks', {}),
    last_event_callbacks: noneOf('event_callbacks', {}),
    ...audited,
  },
  // The rule refuses every write that starts it.
  actions: { trigger: () => ({}) },
  rules: [notYet(['_trigger'], 'there are no webhooks')],
})
