import { text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
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
    webhooks: toMany('webhooks', { virtual: 'webhooks_of_event', include: true }),
    last_event_callbacks: toMany('event_callbacks', { virtual: 'last_callbacks_of_event', include: true }),
    ...audited,
  },
  // The dispatcher delivers it again to the webhooks of today.
  actions: { trigger: (_row, { now }) => ({ triggered_at: now }) },
})
