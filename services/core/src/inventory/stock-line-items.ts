import { integer, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import { skuOfStockLine } from './stock-line-sku.ts'

/** How many units of a SKU a shipment takes from a stock item. */
export const stockLineItems = defineResource('stock_line_items', {
  summary: 'How many units of a SKU a shipment takes from a stock item.',
  model: 'stockLineItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    sku_code: text({ write: 'always', max: 255, filter: true }),
    bundle_code: text(),
    quantity: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    _reserve_stock: trigger({ prohibited: true, isCommand: true }),
    _release_stock: trigger({ prohibited: true, isCommand: true }),
    _decrement_stock: trigger({ prohibited: true, isCommand: true }),
    name: text(),
    image_url: text({ served: true }),
  },
  relationships: {
    shipment: toOne('shipments', { write: 'always', include: true, filter: true, sort: true }),
    line_item: toOne('line_items', { write: 'always', include: true, filter: true, sort: true }),
    stock_item: toOne('stock_items', { write: 'always', include: true, filter: true, sort: true }),
    sku: toOne('skus', { write: 'always', include: true, filter: true, sort: true }),
    stock_reservation: toOne('stock_reservations', {
      virtual: 'reservation_of_stock_line_item',
      include: true,
      filter: true,
    }),
    ...versioned,
  },
  rules: [skuOfStockLine],
})
