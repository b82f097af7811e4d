/** The stock items that an order may take its SKUs from, in the order in which they are used. */
import type { RowOf } from '../../engine/database/rows.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'

/**
 * Locations of the inventory model by rank up to its cutoff, that of the order's store before them; with the strategy no_split
 * only the first (lifecycles.md 4). `own` is what this order has promised to it
 * already, also for transfers, whose reservations have its lines.
 */
const PLACES = `
  WITH place AS (
    SELECT models.strategy, models.id AS model_id, stores.stock_location_id AS own,
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
  SELECT items.id, items.sku_id, items.stock_location_id, items.quantity,
    items.stock_location_id IN (SELECT stock_location_id FROM counted) AS is_counted,
    coalesce(reserved.quantity, 0) AS reserved,
    (SELECT coalesce(sum(own.quantity), 0)::bigint FROM stock_reservations AS own
      WHERE own.environment_id = $1 AND own.stock_item_id = items.id AND (own.order_id = $2 OR own.line_item_id IN (
        SELECT id FROM line_items WHERE environment_id = $1 AND order_id = $2))) AS own
  FROM stock_items AS items
  JOIN ranked USING (stock_location_id)
  LEFT JOIN reserved_stocks AS reserved ON reserved.environment_id = $1 AND reserved.stock_item_id = items.id
  WHERE items.environment_id = $1 AND items.sku_id = ANY($3::bigint[])
  ORDER BY ranked.rank, items.id`

export type StockPlace = Pick<RowOf<'StockItem'>, 'id' | 'sku_id' | 'stock_location_id' | 'quantity'> & {
  /** Whether its location is within the cutoff of the market. */
  readonly is_counted: boolean
  readonly reserved: number
  readonly own: number
}

export const readStockPlaces = (
  order: number,
  skus: readonly number[],
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly StockPlace[]> =>
  run<StockPlace>({ text: PLACES, values: [scope.environmentId, order, [...new Set(skus)]] })

/** What the order could take there. */
export const availableAt = ({ quantity, reserved, own }: StockPlace): number =>
  Math.max(0, quantity - reserved + own)
