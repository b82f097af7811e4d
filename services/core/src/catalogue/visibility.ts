/** SKUs and prices under a market in scope: what is sellable there, and the prices of its list (contract, Scopes rule 1). */
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'
import { sellable } from './sellable.ts'

export const skuVisibility: Visibility = (alias, { scope: { markets }, params }) =>
  markets === undefined ? [] : [sellable(alias, markets, params)]

export const priceVisibility: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  const lists = [...new Set(markets.map(({ priceListId }) => priceListId))]
  return [`${alias}.price_list_id = ANY(${params.add(lists, 'bigint[]')})`]
}

/** A sales channel sees the lists of the shop, a customer their own besides. */
export const skuListVisibility: Visibility = (alias, { scope: { salesChannel }, params }) => {
  if (salesChannel === undefined) return []
  const { customerId } = salesChannel
  const ofShop = `${alias}.customer_id IS NULL`
  return [
    customerId === undefined
      ? ofShop
      : `(${ofShop} OR ${alias}.customer_id = ${params.add(customerId, 'bigint')})`,
  ]
}

/** An item is visible when its list is. */
export const ofSkuListVisibility: Visibility = (alias, build) =>
  visibleThrough('sku_lists', 'sku_list_id', alias, build)

/** A tier is visible when its price is. */
export const ofPriceVisibility: Visibility = (alias, build) =>
  visibleThrough('prices', 'price_id', alias, build)
