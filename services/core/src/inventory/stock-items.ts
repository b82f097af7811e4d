import { integer, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { skuByCode } from '../definitions/sku-by-code.ts'

/** How many units of a SKU are at a stock location; one per pair. */
export const stockItems = defineResource('stock_items', {
  summary: 'How many units of a SKU are at a stock location.',
  model: 'stockItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    sku_code: text({ write: 'always', max: 255 }),
    quantity: integer({
      write: 'always',
      required: true,
      min: 0,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    _validate: trigger({ prohibited: true, isCommand: true }),
  },
  relationships: {
    stock_location: toOne('stock_locations', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    sku: toOne('skus', { write: 'always', include: true, filter: true, sort: true }),
    reserved_stock: toOne('reserved_stocks', {
      virtual: 'reserved_stock_of_item',
      include: true,
      filter: true,
    }),
    stock_reservations: toMany('stock_reservations', { inverse: 'stock_item', include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
  rules: [skuByCode],
})
