import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { ZONE_PATTERN_CHARACTERS_MAX, zonePatterns } from './zone-patterns.ts'

const pattern = () => text({ write: 'always', max: ZONE_PATTERN_CHARACTERS_MAX })

/** The addresses that a shipping method delivers to. */
export const shippingZones = defineResource('shipping_zones', {
  summary: 'The addresses that a shipping method delivers to.',
  model: 'shippingZone',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    country_code_regex: pattern(),
    not_country_code_regex: pattern(),
    state_code_regex: pattern(),
    not_state_code_regex: pattern(),
    zip_code_regex: pattern(),
    not_zip_code_regex: pattern(),
  },
  relationships: {
    ...attachable,
    ...versioned,
  },
  rules: [zonePatterns],
})
