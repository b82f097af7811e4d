/** SKUs and prices under a market in scope: what is sellable there, and what it costs there (contract, Scopes rule 1). */
import type { MarketScope } from '../access/request-scope.ts'
import type { Visibility } from '../engine/area.ts'
import type { Params } from '../engine/sql/params.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'
import { sellable } from './sellable.ts'

export const skuVisibility: Visibility = (alias, { scope: { markets }, params }) =>
  markets === undefined ? [] : [sellable(alias, markets, params)]

export const priceVisibility: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  const lists = params.add([...new Set(markets.map(({ priceListId }) => priceListId))], 'bigint[]')
  const inForce = `${alias}.price_list_id = ANY(${lists})`
  const ofBaseLists = markets.flatMap(({ priceListId, basePriceListId }) =>
    basePriceListId === undefined ? [] : [notReplaced(alias, { priceListId, basePriceListId }, params)],
  )
  return [ofBaseLists.length === 0 ? inForce : `(${[inForce, ...ofBaseLists].join(' OR ')})`]
}

/** A price of a base list whose SKU has none in the list in force. */
const notReplaced = (
  alias: string,
  { priceListId, basePriceListId }: Required<Pick<MarketScope, 'priceListId' | 'basePriceListId'>>,
  params: Params,
): string => `(${alias}.price_list_id = ${params.add(basePriceListId, 'bigint')} AND NOT EXISTS (
    SELECT 1 FROM prices AS in_force
    WHERE in_force.environment_id = ${params.environment} AND in_force.sku_id = ${alias}.sku_id
      AND in_force.price_list_id = ${params.add(priceListId, 'bigint')}))`

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
