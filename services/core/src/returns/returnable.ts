/** How much of a line item has left and can come back. The order is locked, so that two returns do not take the same units. */
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { GIVEN_UP } from './return-states.ts'

type Step = Pick<WorkflowStep, 'run' | 'scope'>

const LEFT: readonly string[] = ['shipped', 'delivered']

/** Units of the stock lines that have left; those of a line, or of one of the SKUs in its bundle. */
const leftUnits = (
  condition: string,
): string => `(SELECT coalesce(sum(taken.quantity), 0) FROM stock_line_items AS taken
        LEFT JOIN shipments ON shipments.environment_id = $1 AND shipments.id = taken.shipment_id
        WHERE taken.environment_id = $1 AND taken.line_item_id = lines.id AND ${condition}
          AND CASE WHEN taken.shipment_id IS NULL THEN orders.fulfillment_status = 'fulfilled'
            ELSE shipments.status = ANY($4::text[]) END)`

/**
 * A bundle has left when all of its SKUs have.
 * Shipped, or handed over without a shipment; of an order that was fulfilled elsewhere, all. What came back is in
 * `restocked_quantity` once it is in stock again, so that resetting it allows another return (lifecycles.md 2).
 */
const RETURNABLE = `SELECT least(lines.quantity, CASE
      WHEN EXISTS (SELECT FROM stock_line_items AS taken
        WHERE taken.environment_id = $1 AND taken.line_item_id = lines.id)
      THEN CASE WHEN lines.bundle_id IS NULL THEN ${leftUnits('true')} ELSE (
        SELECT min(${leftUnits('taken.sku_id = parts.sku_id')} / parts.quantity) FROM bundle_skus AS parts
        WHERE parts.environment_id = $1 AND parts.bundle_id = lines.bundle_id) END
      WHEN orders.fulfillment_status = 'fulfilled' THEN lines.quantity
      ELSE 0 END)::int
    - lines.restocked_quantity
    - (SELECT coalesce(sum(others.quantity), 0)::int FROM return_line_items AS others
      JOIN returns ON returns.environment_id = $1 AND returns.id = others.return_id
      WHERE others.environment_id = $1 AND others.line_item_id = lines.id AND others.restocked_at IS NULL
        AND others.id IS DISTINCT FROM $3 AND returns.status <> ALL($5::text[])) AS units
  FROM line_items AS lines
  JOIN orders ON orders.environment_id = $1 AND orders.id = lines.order_id
  WHERE lines.environment_id = $1 AND lines.id = $2`

/** Without what the return line item with the number `own` has of it. */
export const returnableUnits = async (
  lineItem: number,
  own: number | null,
  { run, scope }: Step,
): Promise<number> => {
  const values = [scope.environmentId, lineItem, own, LEFT, GIVEN_UP]
  const [found] = await run<{ readonly units: number }>({ text: RETURNABLE, values })
  return Math.max(0, found?.units ?? 0)
}

/** Something of the order has left. */
export const hasLeft = async (order: RowOf<'Order'>, { run, scope }: Step): Promise<boolean> => {
  if (order.fulfillment_status === 'fulfilled') return true
  const [left] = await run({
    text: `SELECT 1 FROM shipments WHERE environment_id = $1 AND order_id = $2 AND status = ANY($3::text[]) LIMIT 1`,
    values: [scope.environmentId, order.id, LEFT],
  })
  return left !== undefined
}
