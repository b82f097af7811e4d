/**
 * When a SKU is sellable: it has a price in the market's list in force or base list and at least one stock item, of any quantity, in
 * one of the locations that count (contract, Resources and Scopes 1, 5, 6, 8). A market with external prices asks for
 * no price of its list (core-conventions.md 13; docs/adr/0028). With several markets in scope, in any.
 */
import type { RequestScope } from '../access/request-scope.ts'
import type { Params } from '../engine/sql/params.ts'

/** One list is compared as one, which PostgreSQL estimates best. */
const inLists = (alias: string, inForce: number, base: number, params: Params): string => {
  const list = params.add(inForce, 'bigint')
  if (inForce === base) return `${alias}.price_list_id = ${list}`
  return `${alias}.price_list_id IN (${list}, ${params.add(base, 'bigint')})`
}

/** `alias` is a row of skus. */
export const sellable = (
  alias: string,
  markets: NonNullable<RequestScope['markets']>,
  params: Params,
): string => {
  const { environment } = params
  const anyMarket = markets
    .filter(({ stockLocationIds }) => stockLocationIds.length > 0)
    .map(({ priceListId, basePriceListId = priceListId, stockLocationIds, hasExternalPrices }) => {
      const priced = `EXISTS (
        SELECT 1 FROM prices AS sellable_price
        WHERE sellable_price.environment_id = ${environment} AND sellable_price.sku_id = ${alias}.id
          AND ${inLists('sellable_price', priceListId, basePriceListId, params)}
      )`
      const stocked = `EXISTS (
        SELECT 1 FROM stock_items AS sellable_stock
        WHERE sellable_stock.environment_id = ${environment} AND sellable_stock.sku_id = ${alias}.id
          AND sellable_stock.stock_location_id = ANY(${params.add(stockLocationIds, 'bigint[]')})
      )`
      return hasExternalPrices === true ? stocked : `(${priced} AND ${stocked})`
    })
  return anyMarket.length === 0 ? 'false' : `(${anyMarket.join(' OR ')})`
}
