import { defineResource } from '@merx/jsonapi/define-resource'
import { addressPatterns, validAddressPatterns } from '../definitions/address-patterns.ts'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

/** The addresses that a shipping method delivers to. */
export const shippingZones = defineResource('shipping_zones', {
  summary: 'The addresses that a shipping method delivers to.',
  model: 'shippingZone',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    ...addressPatterns,
  },
  relationships: {
    ...attachable,
    ...versioned,
  },
  rules: [validAddressPatterns],
})
