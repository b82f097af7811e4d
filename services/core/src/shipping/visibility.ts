/** What belongs to an order is seen with the order; shipping methods are those of the markets in scope. */
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'
import { ofMarketsInScope } from '../markets/of-markets-in-scope.ts'

export const shipmentVisibility: Visibility = (alias, build) =>
  visibleThrough('orders', 'order_id', alias, build)

export const ofShipmentVisibility: Visibility = (alias, build) =>
  visibleThrough('shipments', 'shipment_id', alias, build)

export const parcelLineItemVisibility: Visibility = (alias, build) =>
  visibleThrough('parcels', 'parcel_id', alias, build)

/** Sales channels do not see disabled methods. */
export const shippingMethodVisibility: Visibility = (alias, build) => [
  ...(build.scope.salesChannel === undefined ? [] : [`${alias}.disabled_at IS NULL`]),
  ...ofMarketsInScope(alias, build),
]

export const ofShippingMethodVisibility: Visibility = (alias, build) =>
  visibleThrough('shipping_methods', 'shipping_method_id', alias, build)

export const leadTimeVisibility: Visibility = (alias, build) => [
  ...ofShippingMethodVisibility(alias, build),
  ...visibleThrough('stock_locations', 'stock_location_id', alias, build),
]

export const packageVisibility: Visibility = (alias, build) =>
  visibleThrough('stock_locations', 'stock_location_id', alias, build)
