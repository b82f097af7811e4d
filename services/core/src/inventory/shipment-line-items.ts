import { integer, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { versioned } from '../definitions/shared-relationships.ts'

const read = { include: true, filter: true, endpoint: false } as const

/** The former name of stock line items: the same rows, which are only read by it. */
export const shipmentLineItems = defineResource('shipment_line_items', {
  summary: 'The former name of stock line items: the same rows, only read.',
  model: 'stockLineItem',
  table: 'stock_line_items',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: {
    sku_code: text({ filter: true }),
    bundle_code: text(),
    quantity: integer({ filter: true, sort: true }),
    name: text(),
    image_url: text({ served: true }),
  },
  relationships: {
    shipment: toOne('shipments', { ...read, sort: true }),
    line_item: toOne('line_items', { ...read, sort: true }),
    stock_item: toOne('stock_items', { ...read, sort: true }),
    sku: toOne('skus', { ...read, sort: true }),
    stock_reservation: toOne('stock_reservations', { ...read, virtual: 'reservation_of_stock_line_item' }),
    ...versioned,
  },
})
