/**
 * What a line costs and whether there is enough of it: the price in the list of the order's market, stock of its
 * locations. A list in another currency than the order's has no price for it.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { priceInForce } from '../catalogue/price-in-force.ts'
import { unitPriceOf, volumeTiersOf } from '../catalogue/price-of-quantity.ts'
import type { VolumeTier } from '../catalogue/price-of-quantity.ts'
import { pricesForBuyer } from '../catalogue/price-rules/price-for-buyer.ts'
import type { Buyer, PriceWithRules } from '../catalogue/price-rules/price-for-buyer.ts'
import { rulesInForce } from '../catalogue/price-rules/rules-in-force.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'
import { availabilityColumns, availabilityOf, availableUnits } from '../inventory/availability.ts'
import type { AvailabilityRow } from '../inventory/availability.ts'
import { outOfStock } from '../inventory/out-of-stock.ts'

/** The price of the SKU in the list in force, and what the locations of the order have of it. */
const OFFER = `
  SELECT prices.id AS price_id, prices.amount_cents, prices.compare_at_amount_cents,
    ${volumeTiersOf('prices')} AS tiers, ${rulesInForce('prices')} AS documents,
    orders.currency_code, orders.customer_id, orders.market_id, skus.do_not_track,
    ${availabilityColumns('ARRAY[$3::bigint]', 'orders.id')}
  FROM orders
  JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
  JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
  LEFT JOIN stores ON stores.environment_id = $1 AND stores.id = orders.store_id
  JOIN skus ON skus.environment_id = $1 AND skus.id = $3
  LEFT JOIN ${priceInForce({ sku: '$3', currency: 'orders.currency_code' })} ON true
  WHERE orders.environment_id = $1 AND orders.id = $2`

/** What the market of the order sells the SKU for, if at all, and how many there are. */
interface Offer extends AvailabilityRow, Buyer {
  readonly price_id: number | null
  readonly documents: readonly unknown[]
  readonly amount_cents: number | null
  readonly compare_at_amount_cents: number | null
  readonly currency_code: string
  readonly do_not_track: boolean
  readonly tiers: readonly VolumeTier[]
}

export interface LineToPrice {
  /** The line as it would be. */
  readonly line: Row
  /** Whether the amount was sent; else it is the price. */
  readonly hasAmount: boolean
  readonly hasCompareAtAmount: boolean
  /** Whether the article is new to the line; otherwise only its quantity is. */
  readonly isNewItem: boolean
}

/** Columns of amounts, or why the article cannot be ordered like this. */
export const priceLine = async (
  { line, hasAmount, hasCompareAtAmount, isNewItem }: LineToPrice,
  step: WorkflowStep,
): Promise<Completion> => {
  const { run, scope, isImport } = step
  const { order_id: order, item_id: sku } = columnsOf('LineItem', line)
  const [offer] = await run<Offer>({ text: OFFER, values: [scope.environmentId, order, sku], name: 'offer' })
  if (offer === undefined || typeof sku !== 'number') return {}
  const availability = availabilityOf(offer, scope.stockLocationId)
  const code = line['sku_code']
  const unpriced = isNewItem && !hasAmount && offer.amount_cents === null ? [withoutPrice(code, offer)] : []
  const unstocked = isNewItem && !availability.stocked.has(sku) ? [withoutStock(code)] : []
  // What was ordered elsewhere did not come from the stock of here.
  const refused = isImport ? unpriced : [...unpriced, ...unstocked].slice(0, 1)
  const violations =
    refused.length > 0 || isImport || offer.do_not_track
      ? refused
      : shortOf(columnsOf('LineItem', line).quantity ?? 0, availableUnits(availability, sku))
  if (violations.length > 0) return { violations }
  const [forBuyer = offer] =
    hasPrice(offer) && !hasAmount ? await pricesForBuyer([offer], offer, step) : [offer]
  return { set: amountsOf({ line, hasAmount, hasCompareAtAmount, isNewItem }, forBuyer) }
}

const hasPrice = (offer: Offer): offer is Offer & PriceWithRules => offer.price_id !== null

/** An article that is new to the line brings its price; of another quantity the price is another one where it has tiers. */
const amountsOf = (
  { line, hasAmount, hasCompareAtAmount, isNewItem }: LineToPrice,
  { amount_cents: amount, compare_at_amount_cents: compareAt, tiers }: Offer,
): Row => {
  const { quantity = 0, has_own_amount: isOwn = false } = columnsOf('LineItem', line)
  const unit = amount === null ? null : unitPriceOf(amount, tiers, quantity)
  if (isNewItem)
    return {
      has_own_amount: hasAmount,
      ...(hasAmount ? {} : { unit_amount_cents: unit }),
      ...(hasAmount || hasCompareAtAmount ? {} : { compare_at_amount_cents: compareAt }),
    }
  if (hasAmount) return { has_own_amount: true }
  return isOwn || unit === null || tiers.length === 0 ? {} : { unit_amount_cents: unit }
}

const withoutPrice = (value: unknown, { currency_code: currency }: Offer): WriteViolation => ({
  at: { attribute: 'sku_code' },
  error: 'no_price',
  message: `has no price in ${currency} in the price list of the order's market`,
  value,
})

/** A SKU is sold in a market with a price and a stock item, whatever its quantity (contract, Resources). */
const withoutStock = (value: unknown): WriteViolation => ({
  at: { attribute: 'sku_code' },
  error: 'not_stocked',
  message: "is in no stock location of the order's market",
  value,
})

const shortOf = (quantity: number, available: number): readonly WriteViolation[] =>
  quantity <= available ? [] : outOfStock([{ wanted: quantity, available }])
