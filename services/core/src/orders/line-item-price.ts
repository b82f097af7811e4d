/**
 * What a line costs and whether there is enough of it: the price in the list of the order's market, stock of its
 * locations. A list in another currency than the order's has no price for it.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'

/**
 * The price of the SKU in the list in force, and what its locations have: those of the inventory model by rank up to
 * the cutoff, that of the order's store before them; with the strategy no_split only the first (lifecycles.md 4).
 */
const OFFER = `
  WITH place AS (
    SELECT markets.price_list_id, orders.currency_code, models.strategy, models.id AS model_id, stores.stock_location_id AS own,
      models.stock_locations_cutoff + CASE WHEN stores.stock_location_id IS NULL THEN 0 ELSE 1 END AS cutoff
    FROM orders
    JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
    JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
    LEFT JOIN stores ON stores.environment_id = $1 AND stores.id = orders.store_id
    WHERE orders.environment_id = $1 AND orders.id = $2
  ), ranked AS (
    SELECT own AS stock_location_id, 0::bigint AS rank FROM place WHERE own IS NOT NULL
    UNION ALL
    SELECT served.stock_location_id, row_number() OVER (ORDER BY served.priority, served.id)
    FROM inventory_stock_locations AS served, place
    WHERE served.environment_id = $1 AND served.inventory_model_id = place.model_id
      AND served.stock_location_id IS DISTINCT FROM place.own
  ), counted AS (
    SELECT stock_location_id FROM ranked ORDER BY rank
    LIMIT (SELECT CASE strategy WHEN 'no_split' THEN 1 ELSE cutoff END FROM place)
  )
  SELECT prices.amount_cents, prices.compare_at_amount_cents, place.currency_code, skus.do_not_track,
    EXISTS (SELECT 1 FROM stock_items JOIN ranked USING (stock_location_id)
      WHERE stock_items.environment_id = $1 AND stock_items.sku_id = $3) AS is_stocked,
    (SELECT coalesce(sum(stock_items.quantity), 0)::bigint FROM stock_items JOIN counted USING (stock_location_id)
      WHERE stock_items.environment_id = $1 AND stock_items.sku_id = $3) AS available
  FROM place
  JOIN skus ON skus.environment_id = $1 AND skus.id = $3
  LEFT JOIN prices ON prices.environment_id = $1 AND prices.sku_id = $3
    AND prices.price_list_id = place.price_list_id AND prices.currency_code = place.currency_code`

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
  { run, scope, isImport }: WorkflowStep,
): Promise<Completion> => {
  const values = [scope.environmentId, line['order_id'], line['item_id']]
  const [offer] = await run({ text: OFFER, values })
  if (offer === undefined) return {}
  const code = line['sku_code']
  const unpriced =
    isNewItem && !hasAmount && offer['amount_cents'] === null ? [withoutPrice(code, offer)] : []
  const unstocked = isNewItem && offer['is_stocked'] !== true ? [withoutStock(code)] : []
  // What was ordered elsewhere did not come from the stock of here.
  const refused = isImport ? unpriced : [...unpriced, ...unstocked].slice(0, 1)
  const violations = refused.length > 0 || isImport ? refused : outOfStock(offer, Number(line['quantity']))
  if (violations.length > 0) return { violations }
  if (!isNewItem) return {}
  return {
    set: {
      ...(hasAmount ? {} : { unit_amount_cents: offer['amount_cents'] }),
      ...(hasAmount || hasCompareAtAmount
        ? {}
        : { compare_at_amount_cents: offer['compare_at_amount_cents'] }),
    },
  }
}

const withoutPrice = (value: unknown, { currency_code: currency }: Row): WriteViolation => ({
  at: { attribute: 'sku_code' },
  error: 'no_price',
  message: `has no price in ${String(currency)} in the price list of the order's market`,
  value,
})

/** A SKU is sold in a market with a price and a stock item, whatever its quantity (contract, Resources). */
const withoutStock = (value: unknown): WriteViolation => ({
  at: { attribute: 'sku_code' },
  error: 'not_stocked',
  message: "is in no stock location of the order's market",
  value,
})

const outOfStock = (offer: Row, quantity: number): readonly WriteViolation[] => {
  const available = Number(offer['available'])
  if (offer['do_not_track'] === true || quantity <= available) return []
  return [
    {
      at: { attribute: 'quantity' },
      error: 'out_of_stock',
      message: 'is out of stock',
      value: quantity,
      count: available,
    },
  ]
}
