/** Which promotions a request sees: those of the markets in scope; a sales channel, the enabled ones of them. */
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

export const promotionVisibility: Visibility = (alias, { scope, params }) => {
  const { markets, salesChannel } = scope
  const offered = salesChannel === undefined ? [] : [`${alias}.disabled_at IS NULL`]
  if (markets === undefined) return offered
  const ids = params.add(
    markets.map(({ id }) => id),
    'bigint[]',
  )
  const currencies = params.add([...new Set(markets.map(({ currencyCode }) => currencyCode))], 'text[]')
  // Without a currency a promotion is for all.
  return [
    ...offered,
    `(${alias}.market_id = ANY(${ids}) OR (${alias}.market_id IS NULL
      AND (${alias}.currency_code IS NULL OR ${alias}.currency_code = ANY(${currencies}))))`,
  ]
}

/** A rule is visible when its promotion is. */
export const ofPromotionVisibility: Visibility = (alias, build) =>
  visibleThrough('promotions', 'promotion_id', alias, build)

/** A coupon is visible when its rule is. */
export const couponVisibility: Visibility = (alias, build) =>
  visibleThrough('coupon_codes_promotion_rules', 'promotion_rule_id', alias, build)
