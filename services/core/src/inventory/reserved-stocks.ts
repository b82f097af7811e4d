import { integer } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { versioned } from '../definitions/shared-relationships.ts'

/** How much of a stock item is promised: the sum of its reservations. */
export const reservedStocks = defineResource('reserved_stocks', {
  summary: 'How much of a stock item is promised.',
  model: 'reservedStock',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: { quantity: integer({ filter: true, sort: true }) },
  relationships: {
    stock_item: toOne('stock_items', { include: true, filter: true, sort: true }),
    sku: toOne('skus', { include: true, filter: true }),
    stock_reservations: toMany('stock_reservations', { inverse: 'reserved_stock', include: true }),
    ...versioned,
  },
})
