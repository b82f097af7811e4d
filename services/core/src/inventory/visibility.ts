/** Stock under a market in scope: the locations that count for it, and what they hold (contract, Scopes rules 1, 6, 8). */
import type { MarketScope } from '../access/request-scope.ts'
import type { Visibility } from '../engine/area.ts'

const locationsOf = (markets: readonly MarketScope[]): readonly number[] => [
  ...new Set(markets.flatMap(({ stockLocationIds }) => stockLocationIds)),
]

export const stockItemVisibility: Visibility = (alias, { scope: { markets }, params }) =>
  markets === undefined
    ? []
    : [`${alias}.stock_location_id = ANY(${params.add(locationsOf(markets), 'bigint[]')})`]

export const stockLocationVisibility: Visibility = (alias, { scope: { markets }, params }) =>
  markets === undefined ? [] : [`${alias}.id = ANY(${params.add(locationsOf(markets), 'bigint[]')})`]
