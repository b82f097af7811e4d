/** Rows that are for one market, or for every market of their currency. */
import type { Visibility } from '../engine/area.ts'

/** Under markets: theirs, and those of no market in their currencies. */
export const ofMarketsInScope: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  const ids = params.add(
    markets.map(({ id }) => id),
    'bigint[]',
  )
  const currencies = params.add([...new Set(markets.map(({ currencyCode }) => currencyCode))], 'text[]')
  return [
    `(${alias}.market_id = ANY(${ids})
      OR (${alias}.market_id IS NULL AND ${alias}.currency_code = ANY(${currencies})))`,
  ]
}
