/** What one unit costs when so many are bought: the price, or the volume tier that the quantity is in. */

export interface VolumeTier {
  /** The most units; null: any more. */
  readonly up_to: number | null
  readonly price: number
}

/** The volume tiers of a row of prices, as JSON; `price` is its alias, the environment is $1. */
export const volumeTiersOf = (price: string): string => `coalesce((
  SELECT jsonb_agg(jsonb_build_object('up_to', tiers.up_to, 'price', tiers.price_amount_cents)
    ORDER BY tiers.up_to NULLS LAST, tiers.id)
  FROM price_tiers AS tiers
  WHERE tiers.environment_id = $1 AND tiers.price_id = ${price}.id AND tiers.type = 'price_volume_tiers'), '[]')`

/** Tiers are ordered from the lowest limit to none; beyond all of them the price itself counts. */
export const unitPriceOf = (amountCents: number, tiers: readonly VolumeTier[], quantity: number): number =>
  tiers.find(({ up_to: upTo }) => upTo === null || quantity <= upTo)?.price ?? amountCents
