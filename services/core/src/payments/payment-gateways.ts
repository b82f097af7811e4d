import { boolean, instant } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { name } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import { VENDOR_GATEWAYS } from './vendors/vendors.ts'

/** All gateways, whatever their kind. */
export const paymentGateways = defineResource('payment_gateways', {
  summary: 'All payment gateways, whatever their kind.',
  model: 'paymentGateway',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: ['manual_gateways', 'external_gateways', ...VENDOR_GATEWAYS] },
  attributes: {
    name: name({ write: 'never', required: false }),
    force_payments: boolean(),
    disabled_at: instant({ filter: true, sort: true }),
  },
  relationships: {
    payment_methods: toMany('payment_methods', { inverse: 'payment_gateway', include: true, filter: true }),
    ...versioned,
  },
})
