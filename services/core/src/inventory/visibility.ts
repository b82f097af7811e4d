/** Stock under a market in scope: the locations that count for it, and what they hold (contract, Scopes rules 1, 6, 8). */
import type { MarketScope } from '../access/request-scope.ts'
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

const locationsOf = (markets: readonly MarketScope[]): readonly number[] => [
  ...new Set(markets.flatMap(({ stockLocationIds }) => stockLocationIds)),
]

export const stockItemVisibility: Visibility = (alias, { scope: { markets }, params }) =>
  markets === undefined
    ? []
    : [`${alias}.stock_location_id = ANY(${params.add(locationsOf(markets), 'bigint[]')})`]

export const stockLocationVisibility: Visibility = (alias, { scope: { markets }, params }) =>
  markets === undefined ? [] : [`${alias}.id = ANY(${params.add(locationsOf(markets), 'bigint[]')})`]

/** What is promised of a stock item is seen with it. */
export const reservedStockVisibility: Visibility = (alias, build) =>
  visibleThrough('stock_items', 'stock_item_id', alias, build)

/** A reservation of an order is seen with the order too. */
export const stockReservationVisibility: Visibility = (alias, build) => {
  const ofOrder = visibleThrough('orders', 'order_id', alias, build)
  return [
    ...reservedStockVisibility(alias, build),
    ...(ofOrder.length === 0 ? [] : [`(${alias}.order_id IS NULL OR ${ofOrder.join(' AND ')})`]),
  ]
}

export const stockLineItemVisibility: Visibility = (alias, build) =>
  visibleThrough('shipments', 'shipment_id', alias, build)

/** A transfer of a shipment is seen with it; any other with its origin, and never by a sales channel. */
export const stockTransferVisibility: Visibility = (alias, build) => {
  const ofShipment = visibleThrough('shipments', 'shipment_id', alias, build)
  if (ofShipment.length === 0 || build.scope.salesChannel !== undefined) return ofShipment
  const ofOrigin = visibleThrough('stock_locations', 'origin_stock_location_id', alias, build)
  const others = [`${alias}.shipment_id IS NULL`, ...ofOrigin].join(' AND ')
  return [`(${ofShipment.join(' AND ')} OR (${others}))`]
}
