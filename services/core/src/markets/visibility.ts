/** Markets and stores in scope (contract, Scopes rules 1 and 5). */
import type { Visibility } from '../engine/area.ts'

export const marketVisibility: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  return [
    `${alias}.id = ANY(${params.add(
      markets.map(({ id }) => id),
      'bigint[]',
    )})`,
  ]
}

export const storeVisibility: Visibility = (alias, { scope: { markets, storeId }, params }) => {
  if (markets === undefined) return []
  const ids = markets.map(({ id }) => id)
  const ofMarkets = `${alias}.market_id = ANY(${params.add(ids, 'bigint[]')})`
  return storeId === undefined ? [ofMarkets] : [ofMarkets, `${alias}.id = ${params.add(storeId, 'bigint')}`]
}

/** Of what belongs to a market, whatever else is in scope. */
export const ofMarketVisibility: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  const ids = markets.map(({ id }) => id)
  return [`${alias}.market_id = ANY(${params.add(ids, 'bigint[]')})`]
}
