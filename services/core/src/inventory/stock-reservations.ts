import { instant, integer, oneOf, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { audited } from '../definitions/shared-relationships.ts'
import { stockReservationStates } from './stock-reservation-states.ts'

/** Units of a stock item that are promised to an order, a transfer or whoever made the reservation. */
export const stockReservations = defineResource('stock_reservations', {
  summary: 'Units of a stock item that are promised.',
  model: 'stockReservation',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    status: oneOf(stockReservationStates.states, { filter: true, sort: true }),
    quantity: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    expires_at: instant({ filter: true, sort: true }),
    _pending: trigger({ isCommand: true }),
  },
  relationships: {
    line_item: toOne('line_items', { include: true, filter: true, sort: true }),
    order: toOne('orders', { include: true, filter: true }),
    stock_line_item: toOne('stock_line_items', { include: true, filter: true, sort: true }),
    stock_transfer: toOne('stock_transfers', { include: true, filter: true, sort: true }),
    stock_item: toOne('stock_items', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    reserved_stock: toOne('reserved_stocks', { include: true, filter: true, sort: true }),
    sku: toOne('skus', { include: true, filter: true }),
    ...audited,
  },
})
