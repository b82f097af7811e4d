import { integer, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import { contentsOfParcel } from './parcel-contents.ts'

/** How many units of a stock line item are in a parcel. */
export const parcelLineItems = defineResource('parcel_line_items', {
  summary: 'How many units of a stock line item are in a parcel.',
  model: 'parcelLineItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    sku_code: text(),
    bundle_code: text(),
    quantity: integer({
      write: 'create',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    name: text(),
    image_url: text({ served: true }),
  },
  relationships: {
    parcel: toOne('parcels', { write: 'create', required: true, include: true, filter: true, sort: true }),
    stock_line_item: toOne('stock_line_items', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
    }),
    shipment_line_item: toOne('shipment_line_items', {
      column: 'stock_line_item_id',
      include: true,
      endpoint: false,
    }),
    ...versioned,
  },
  rules: [contentsOfParcel],
})
