import { cents, float } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachableAsFamily, versioned } from '../definitions/shared-relationships.ts'
import { tierOfMethod } from './tier-of-method.ts'

/** The price of a shipping method up to a weight; without one, beyond all others. */
export const shippingWeightTiers = defineResource('shipping_weight_tiers', {
  summary: 'The price of a shipping method up to a weight.',
  model: 'shippingMethodTier',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'shipping_method_tiers',
  attributes: {
    name: name(),
    up_to: float({ write: 'always', min: 0, filter: true, sort: true }),
    price_amount_cents: cents({ write: 'always', required: true, min: 0, filter: true, sort: true }),
  },
  relationships: {
    shipping_method: toOne('shipping_methods', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
    }),
    ...attachableAsFamily,
    ...versioned,
  },
  rules: [tierOfMethod],
})
