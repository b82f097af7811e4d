/** The bitmap index of SKUs and prices: what a market in scope shows, as sets (sellable.ts says the same of one row). */
import type { MarketScope } from '../access/request-scope.ts'
import type { ByName } from '../engine/area.ts'
import type { IndexedType, Members } from '../engine/bitmap-index/indexed-types.ts'

/** A price in the market's list in force or base list, unless its prices are external, and a stock item in any of its locations. */
const sellable = ({
  priceListId,
  basePriceListId = priceListId,
  stockLocationIds,
  hasExternalPrices,
}: MarketScope): Members => {
  const stocked: Members = { kind: 'owned', set: 'skus_of_stock_location', owners: stockLocationIds }
  if (hasExternalPrices === true) return stocked
  return {
    kind: 'intersection',
    of: [
      { kind: 'owned', set: 'skus_of_price_list', owners: [...new Set([priceListId, basePriceListId])] },
      stocked,
    ],
  }
}

export const catalogueIndex: ByName<IndexedType> = {
  skus: {
    visible: ({ markets }) =>
      markets === undefined
        ? { kind: 'all', set: 'skus' }
        : {
            kind: 'union',
            of: markets.filter(({ stockLocationIds }) => stockLocationIds.length > 0).map(sellable),
          },
  },
  prices: {
    visible: ({ markets }) => {
      if (markets === undefined) return { kind: 'all', set: 'prices' }
      // Sets of prices do not say which of a base list are replaced; rows do.
      if (markets.some(({ basePriceListId }) => basePriceListId !== undefined)) return undefined
      const owners = [...new Set(markets.map(({ priceListId }) => priceListId))]
      return { kind: 'owned', set: 'prices_of_price_list', owners }
    },
    ownedBy: { relationship: 'price_list', set: 'prices_of_price_list' },
  },
}
