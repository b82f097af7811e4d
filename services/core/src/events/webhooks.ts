import { instant, integer, list, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, CIRCUIT_STATES, name, url } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import { regenerable, sharedSecret } from '../definitions/shared-secret.ts'
import { calledAddresses } from '../outside/called-addresses.ts'
import { resetCircuit } from '../outside/circuit.ts'

/** An address that is called for one topic. Its workflow names it and checks topic and includes. */
export const webhooks = defineResource('webhooks', {
  summary: 'An address that is called when something happens.',
  model: 'webhook',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name({ required: false, sort: false }),
    topic: text({ write: 'always', required: true, max: 255, filter: true }),
    callback_url: url({ required: true }),
    include_resources: list({ write: 'always', max: 50 }),
    disabled_at: instant({ filter: true, sort: true }),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
    shared_secret: sharedSecret(),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
    _reset_circuit: trigger({ prohibited: true }),
    _resend: trigger({ isCommand: true }),
    _resend_from: trigger({ carries: 'text', argumentOf: '_resend' }),
    _resend_to: trigger({ carries: 'text', argumentOf: '_resend' }),
    _regenerate_shared_secret: trigger(),
  },
  relationships: {
    last_event_callbacks: toMany('event_callbacks', { virtual: 'last_callbacks_of_webhook', include: true }),
    ...versioned,
  },
  actions: { ...switchable, reset_circuit: resetCircuit, ...regenerable },
  rules: [calledAddresses('callback_url')],
})
