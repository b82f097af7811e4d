import { boolean, integer, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

/** A warehouse or a shop floor that goods are taken from. */
export const stockLocations = defineResource('stock_locations', {
  summary: 'A place that goods are taken from.',
  model: 'stockLocation',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: integer(),
    name: name(),
    code: code(),
    label_format: oneOf(['PDF', 'ZPL', 'EPL2', 'PNG'], {
      write: 'always',
      default: 'PDF',
      filter: true,
      sort: true,
    }),
    suppress_etd: boolean({ write: 'always', default: false, filter: true, sort: true }),
  },
  relationships: {
    address: toOne('addresses', { write: 'always', required: true, include: true, filter: true, sort: true }),
    inventory_stock_locations: toMany('inventory_stock_locations', {
      inverse: 'stock_location',
      include: true,
      filter: true,
    }),
    stock_items: toMany('stock_items', { inverse: 'stock_location', include: true, filter: true }),
    stores: toMany('stores', { inverse: 'stock_location', include: true, filter: true }),
    inventory_return_locations: toMany('inventory_return_locations', {
      inverse: 'stock_location',
      include: true,
      filter: true,
    }),
    stock_transfers: toMany('stock_transfers', {
      virtual: 'transfers_of_location',
      include: true,
      filter: true,
    }),
    ...attachable,
    ...versioned,
  },
  onDelete: refuseWhileReferencedBy(
    'inventory_stock_locations',
    'inventory_return_locations',
    'stock_items',
    'stores',
  ),
})
