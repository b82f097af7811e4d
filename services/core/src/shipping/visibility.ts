/** What belongs to an order is seen with the order; shipping methods are those of the markets in scope. */
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

export const shipmentVisibility: Visibility = (alias, build) =>
  visibleThrough('orders', 'order_id', alias, build)

export const ofShipmentVisibility: Visibility = (alias, build) =>
  visibleThrough('shipments', 'shipment_id', alias, build)

export const parcelLineItemVisibility: Visibility = (alias, build) =>
  visibleThrough('parcels', 'parcel_id', alias, build)

/** Sales channels do not see disabled methods; under markets, theirs and those of no market in their currencies. */
export const shippingMethodVisibility: Visibility = (alias, { scope, params }) => {
  const enabled = scope.salesChannel === undefined ? [] : [`${alias}.disabled_at IS NULL`]
  if (scope.markets === undefined) return enabled
  const ids = params.add(
    scope.markets.map(({ id }) => id),
    'bigint[]',
  )
  const currencies = params.add([...new Set(scope.markets.map(({ currencyCode }) => currencyCode))], 'text[]')
  return [
    ...enabled,
    `(${alias}.market_id = ANY(${ids})
      OR (${alias}.market_id IS NULL AND ${alias}.currency_code = ANY(${currencies})))`,
  ]
}

export const ofShippingMethodVisibility: Visibility = (alias, build) =>
  visibleThrough('shipping_methods', 'shipping_method_id', alias, build)

export const leadTimeVisibility: Visibility = (alias, build) => [
  ...ofShippingMethodVisibility(alias, build),
  ...visibleThrough('stock_locations', 'stock_location_id', alias, build),
]

export const packageVisibility: Visibility = (alias, build) =>
  visibleThrough('stock_locations', 'stock_location_id', alias, build)
