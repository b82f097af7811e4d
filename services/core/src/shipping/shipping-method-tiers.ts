import { cents, float } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

export const SHIPPING_TIER_TYPES = ['shipping_weight_tiers'] as const

/** All prices of shipping methods by range, whatever is measured. */
export const shippingMethodTiers = defineResource('shipping_method_tiers', {
  summary: 'All prices of shipping methods by range.',
  model: 'shippingMethodTier',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: SHIPPING_TIER_TYPES },
  attributes: {
    name: name({ write: 'never', required: false }),
    up_to: float({ filter: true, sort: true }),
    price_amount_cents: cents({ filter: true, sort: true }),
  },
  relationships: {
    shipping_method: toOne('shipping_methods', { include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
})
