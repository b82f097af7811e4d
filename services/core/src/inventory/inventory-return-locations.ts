import { integer } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

const named = { write: 'always', required: true, include: true, filter: true, sort: true } as const

/** A stock location that takes returns back for an inventory model, with its rank: the lowest is the one that is meant. */
export const inventoryReturnLocations = defineResource('inventory_return_locations', {
  summary: 'A stock location that takes returns back for an inventory model, with its rank.',
  model: 'inventoryReturnLocation',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    priority: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
  },
  relationships: {
    stock_location: toOne('stock_locations', named),
    inventory_model: toOne('inventory_models', named),
    ...versioned,
  },
})
