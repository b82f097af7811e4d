/** Which gift cards a request sees: those of the markets in scope; a sales channel, the drafts of them. */
import type { Visibility } from '../engine/area.ts'

export const giftCardVisibility: Visibility = (alias, { scope: { markets, salesChannel }, params }) => {
  const drafts = salesChannel === undefined ? [] : [`${alias}.status = 'draft'`]
  if (markets === undefined) return drafts
  const numbers = params.add(
    markets.map(({ id }) => id),
    'bigint[]',
  )
  const currencies = params.add([...new Set(markets.map(({ currencyCode }) => currencyCode))], 'text[]')
  return [
    ...drafts,
    `(${alias}.market_id = ANY(${numbers})
      OR (${alias}.market_id IS NULL AND ${alias}.currency_code = ANY(${currencies})))`,
  ]
}
