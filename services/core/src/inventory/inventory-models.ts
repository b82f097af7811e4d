import { boolean, integer, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

/** Each is a file of shipping/strategies. */
export const STRATEGIES = [
  'no_split',
  'split_shipments',
  'split_by_line_items',
  'ship_from_primary',
  'ship_from_first_available_or_primary',
]

/** Which stock locations serve a market, in which order, and how shipments are split over them. */
export const inventoryModels = defineResource('inventory_models', {
  summary: 'Which stock locations serve a market, and how.',
  model: 'inventoryModel',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    strategy: oneOf(STRATEGIES, { write: 'always', default: 'no_split', filter: true, sort: true }),
    // The ceiling is the organization's inventory_models_max_stock_locations_cutoff, 10 unless it was raised.
    stock_locations_cutoff: integer({
      write: 'always',
      min: 1,
      max: 10,
      default: 2,
      filter: true,
      sort: true,
    }),
    stock_reservation_cutoff: integer({
      write: 'always',
      min: 0,
      max: 2_147_483_647,
      default: 3600,
      filter: true,
      sort: true,
    }),
    put_stock_transfers_on_hold: boolean({ write: 'always', default: false }),
    manual_stock_decrement: boolean({ write: 'always', default: false }),
  },
  relationships: {
    inventory_stock_locations: toMany('inventory_stock_locations', {
      inverse: 'inventory_model',
      include: true,
      filter: true,
    }),
    inventory_return_locations: toMany('inventory_return_locations', {
      inverse: 'inventory_model',
      include: true,
      filter: true,
    }),
    ...attachable,
    ...versioned,
  },
})
