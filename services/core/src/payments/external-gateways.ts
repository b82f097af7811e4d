import { boolean, computed, instant, integer, list, oneOf, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy, switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, CIRCUIT_STATES, name, url } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import { regenerable, sharedSecret } from '../definitions/shared-secret.ts'
import { calledAddresses } from '../outside/called-addresses.ts'
import { externalIncludes } from '../outside/external-includes.ts'

/** What a call tells of the order, unless the gateway says otherwise (commerce.md 1.2). */
const INCLUDES = [
  'order',
  'order.market',
  'order.line_items',
  'order.line_items.item',
  'order.shipping_address',
  'order.billing_address',
  'order.customer',
  'order.order_subscriptions',
]

/** Where the callbacks of external gateways arrive (api/gateway-callbacks.ts). */
export const CALLBACK_PATH = '/api/webhook_callbacks/external_gateways'

/** A gateway of the shop's own, reached by addresses (outside/). */
export const externalGateways = defineResource('external_gateways', {
  summary: "A payment gateway of the shop's own, reached by addresses.",
  model: 'paymentGateway',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'payment_gateways',
  attributes: {
    name: name(),
    force_payments: boolean({ write: 'always', default: false }),
    disabled_at: instant({ filter: true, sort: true }),
    authorize_url: url(),
    capture_url: url(),
    void_url: url(),
    refund_url: url(),
    token_url: url(),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
    shared_secret: sharedSecret(),
    external_includes: list({ write: 'always', max: 50, default: INCLUDES }),
    // Where the gateway posts what it promised with status 202.
    webhook_endpoint_url: computed((_row, { baseUrl }, id) => `${baseUrl}${CALLBACK_PATH}/${id}`),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
    _reset_circuit: trigger({ prohibited: true }),
    _regenerate_shared_secret: trigger(),
  },
  relationships: {
    payment_methods: toMany('payment_methods', { inverse: 'payment_gateway', include: true, filter: true }),
    external_payments: toMany('external_payments', {
      inverse: 'payment_gateway',
      include: true,
      filter: true,
    }),
    ...versioned,
  },
  actions: {
    ...switchable,
    reset_circuit: () => ({ circuit_state: 'closed', circuit_failure_count: 0 }),
    ...regenerable,
  },
  rules: [
    calledAddresses('authorize_url', 'capture_url', 'void_url', 'refund_url', 'token_url'),
    externalIncludes('external_payments', 'authorizations', 'captures'),
  ],
  onDelete: refuseWhileReferencedBy('payment_methods', 'external_payments'),
})
