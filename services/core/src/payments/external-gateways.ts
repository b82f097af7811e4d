import { randomBytes } from 'node:crypto'
import { boolean, instant, integer, list, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy, switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, CIRCUIT_STATES, name, url } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

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

/** A gateway of the shop's own, reached by addresses. Nothing calls them yet (gateways/adapters.ts). */
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
    shared_secret: text({ secret: true }),
    external_includes: list({ write: 'always', max: 50, default: INCLUDES }),
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
    regenerate_shared_secret: () => ({ shared_secret: randomBytes(32).toString('hex') }),
  },
  onDelete: refuseWhileReferencedBy('payment_methods', 'external_payments'),
})
