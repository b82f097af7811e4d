import { instant, integer, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import type { ToOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { attachable, observed, versioned } from '../definitions/shared-relationships.ts'
import { skuByCode } from '../definitions/sku-by-code.ts'
import { stockTransferStates } from './stock-transfer-states.ts'
import { placesOfTransfer } from './transfer-places.ts'

const place = (): ToOne =>
  toOne('stock_locations', { write: 'always', required: true, include: true, filter: true })

/** Units of a SKU on their way from one stock location to another. */
export const stockTransfers = defineResource('stock_transfers', {
  summary: 'Units of a SKU on their way between stock locations.',
  model: 'stockTransfer',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: text({ write: 'always', max: 255, unique: true, filter: true, sort: true }),
    sku_code: text({ write: 'always', max: 255 }),
    status: oneOf(stockTransferStates.states, { filter: true, sort: true }),
    quantity: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    on_hold_at: instant({ filter: true, sort: true }),
    picking_at: instant({ filter: true, sort: true }),
    in_transit_at: instant({ filter: true, sort: true }),
    completed_at: instant({ filter: true, sort: true }),
    cancelled_at: instant({ filter: true, sort: true }),
    _upcoming: trigger({ isCommand: true }),
    _on_hold: trigger({ isCommand: true }),
    _picking: trigger({ isCommand: true }),
    _in_transit: trigger({ isCommand: true }),
    _complete: trigger({ isCommand: true }),
    _cancel: trigger({ isCommand: true }),
  },
  relationships: {
    sku: toOne('skus', { write: 'always', include: true, filter: true, sort: true }),
    origin_stock_location: place(),
    destination_stock_location: place(),
    shipment: toOne('shipments', { write: 'always', include: true, filter: true, sort: true }),
    line_item: toOne('line_items', { write: 'always', include: true, filter: true, sort: true }),
    stock_reservation: toOne('stock_reservations', {
      virtual: 'reservation_of_stock_transfer',
      include: true,
      filter: true,
    }),
    ...attachable,
    ...observed,
    ...versioned,
  },
  rules: [skuByCode, placesOfTransfer],
  onDelete: refuseWhile(({ status }) =>
    status === 'draft' || status === 'cancelled'
      ? undefined
      : `A stock transfer can be deleted while it is draft or cancelled; this one is ${String(status)}.`,
  ),
})
