import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, name } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'

/** A point of sale of a market, with a stock location and payment methods of its own if it has any. */
export const stores = defineResource('stores', {
  summary: 'A point of sale of a market.',
  model: 'store',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    code: code(),
  },
  relationships: {
    market: toOne('markets', { write: 'always', required: true, include: true, filter: true, sort: true }),
    merchant: toOne('merchants', { write: 'always', include: true, filter: true }),
    stock_location: toOne('stock_locations', { write: 'always', include: true, filter: true, sort: true }),
    orders: toMany('orders', { inverse: 'store', include: true }),
    payment_methods: toMany('payment_methods', { inverse: 'store', include: true }),
    ...observed,
    ...versioned,
  },
  onDelete: refuseWhileReferencedBy('orders', 'payment_methods'),
})
