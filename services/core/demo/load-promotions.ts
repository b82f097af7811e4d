/** Promotions of the demo, in each of its markets: all with coupons, so that only orders that have one get something. */
import type { PoolClient } from 'pg'
import type { PromotionType } from '../src/promotions/promotion-types.ts'
import { weightOf } from '../src/promotions/weight.ts'
import { MARKETS, PROMOTIONS } from './blueprint.ts'
import type { MarketBlueprint, PromotionBlueprint } from './blueprint.ts'
import { copyRecords } from './copy-records.ts'
import { inMarket } from './market-prices.ts'

/** The reference of a promotion in a market. */
export const promotionReference = (market: MarketBlueprint, { id }: PromotionBlueprint): string =>
  `${market.code}-promotion-${id}`

const STARTS_AT = new Date('2015-01-01T00:00:00Z')
const EXPIRES_AT = new Date('2099-01-01T00:00:00Z')

const amountsOf = ({ takes }: PromotionBlueprint, market: MarketBlueprint) => ({
  percentage: takes !== 'shipping' && 'rate' in takes ? Math.round(takes.rate / 1_000_000) : null,
  fixed_amount_cents: takes !== 'shipping' && 'cents' in takes ? inMarket(takes.cents, market) : null,
})

const weightOfType = (type: PromotionType): number =>
  weightOf({ exclusive: false, priority: null, type, startsAt: STARTS_AT })

/** A shop that has them already, from an earlier load, keeps them. */
export const loadPromotions = async (client: PoolClient, environmentId: number): Promise<void> => {
  const found = await client.query(
    `SELECT 1 FROM promotions WHERE environment_id = $1 AND reference_origin = 'demo' LIMIT 1`,
    [environmentId],
  )
  if (found.rows.length > 0) return
  const { rows: markets } = await client.query<{ id: number; code: string }>(
    'SELECT id, code FROM markets WHERE environment_id = $1',
    [environmentId],
  )
  const all = MARKETS.flatMap((market) => {
    const number = markets.find(({ code }) => code === market.code)?.id
    return number === undefined ? [] : PROMOTIONS.map((promotion) => ({ market, number, promotion }))
  })
  const promotions = await copyRecords(
    client,
    'promotions',
    environmentId,
    all.map(({ market, number, promotion }) => ({
      type: promotion.type,
      name: promotion.name,
      currency_code: market.currency,
      market_id: number,
      starts_at: STARTS_AT,
      expires_at: EXPIRES_AT,
      weight: weightOfType(promotion.type),
      reference: promotionReference(market, promotion),
      reference_origin: 'demo',
      ...amountsOf(promotion, market),
    })),
  )
  const rules = await copyRecords(
    client,
    'promotion_rules',
    environmentId,
    promotions.map((promotion) => ({ type: 'coupon_codes_promotion_rules', promotion_id: promotion })),
  )
  await copyRecords(
    client,
    'coupons',
    environmentId,
    all.map(({ promotion }, at) => ({ code: promotion.couponCode, promotion_rule_id: rules[at] ?? null })),
  )
}
