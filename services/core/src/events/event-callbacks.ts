import { object, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { audited } from '../definitions/shared-relationships.ts'

/** One call of a webhook and what came back; deliveries write them. */
export const eventCallbacks = defineResource('event_callbacks', {
  summary: 'One call of a webhook and what came back.',
  model: 'eventCallback',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: {
    callback_url: text({ filter: true }),
    payload: object(),
    response_code: text({ filter: true, sort: true }),
    response_message: text({ filter: true, sort: true }),
  },
  relationships: {
    webhook: toOne('webhooks', { include: true, filter: true, sort: true }),
    ...audited,
  },
})
