import { boolean, integer } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

/** A stock location in an inventory model, with its rank: 1 is the primary. */
export const inventoryStockLocations = defineResource('inventory_stock_locations', {
  summary: 'A stock location in an inventory model, with its rank.',
  model: 'inventoryStockLocation',
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
    on_hold: boolean({ write: 'always', default: false, filter: true, sort: true }),
  },
  relationships: {
    stock_location: toOne('stock_locations', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    inventory_model: toOne('inventory_models', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    ...versioned,
  },
})
