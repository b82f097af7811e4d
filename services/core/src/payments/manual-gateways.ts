import { boolean, instant, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy, switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

/** A gateway without an outside service: a wire transfer, cash at the counter. */
export const manualGateways = defineResource('manual_gateways', {
  summary: 'A payment gateway without an outside service.',
  model: 'paymentGateway',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'payment_gateways',
  attributes: {
    name: name(),
    force_payments: boolean({ write: 'always', default: false }),
    disabled_at: instant({ filter: true, sort: true }),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
  },
  relationships: {
    payment_methods: toMany('payment_methods', { inverse: 'payment_gateway', include: true, filter: true }),
    ...versioned,
  },
  actions: switchable,
  onDelete: refuseWhileReferencedBy('payment_methods'),
})
