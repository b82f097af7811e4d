import type { Area, VirtualRelationship } from '../engine/area.ts'
import { eventCallbacks } from './event-callbacks.ts'
import { events as eventsResource } from './events.ts'
import { resendCommand } from './resend-command.ts'
import { webhookWorkflow } from './webhook-workflow.ts'
import { webhooks } from './webhooks.ts'

/** Newest first; older ones are in the list of event_callbacks. */
const LAST_CALLBACKS = 10

const lastCallbacksOf =
  (column: 'webhook_id' | 'event_id'): VirtualRelationship =>
  ({ owner, target }, { params }) => [
    `${target}.id IN (SELECT callback.id FROM event_callbacks AS callback
      WHERE callback.environment_id = ${params.environment} AND callback.${column} = ${owner}.id
      ORDER BY callback.id DESC LIMIT ${LAST_CALLBACKS})`,
  ]

/** Those of today: deliveries look for them again when the event is sent. */
const webhooksOfEvent: VirtualRelationship = ({ owner, target }) => [`${target}.topic = ${owner}.name`]

export const events: Area = {
  resources: [eventsResource, webhooks, eventCallbacks],
  workflows: { webhooks: webhookWorkflow },
  commands: { webhooks: [resendCommand] },
  parents: { events: { type: 'resource_type', number: 'record_id', isLog: true } },
  virtualRelationships: {
    webhooks_of_event: webhooksOfEvent,
    last_callbacks_of_webhook: lastCallbacksOf('webhook_id'),
    last_callbacks_of_event: lastCallbacksOf('event_id'),
  },
}
