/** Stock line items by hand: what one took from stock or has reserved is given back when it goes. */
import type { Row } from '@merx/jsonapi/attributes'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Command } from '../engine/write/commands.ts'
import type { Consequences, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { outOfStock } from './out-of-stock.ts'
import { giveBack, releaseOf, reserveFor, takeOut } from './stock-of-lines.ts'
import { linkedWhileInProgress, lockOrderOf, whileInProgress } from './while-in-progress.ts'

/** What is not shipped has stock lines without a shipment; their order is that of the line item. */
const ORDER_OF_LINE = `SELECT coalesce(shipments.order_id, line_items.order_id) FROM stock_line_items AS line
  LEFT JOIN shipments ON shipments.environment_id = $1 AND shipments.id = line.shipment_id
  LEFT JOIN line_items ON line_items.environment_id = $1 AND line_items.id = line.line_item_id
  WHERE line.environment_id = $1 AND line.id = $2`

/** What is reserved for a line follows its quantity and its stock item. */
const reserveAgain = async (
  before: RowOf<'StockLineItem'>,
  after: RowOf<'StockLineItem'>,
  step: WorkflowStep,
): Promise<Consequences> => {
  if (before.quantity === after.quantity && before.stock_item_id === after.stock_item_id) return {}
  const ended = await releaseOf([before], step)
  if (ended.length === 0) return {}
  const { shortages, writes } = await reserveFor([after], step)
  const [first] = outOfStock(shortages)
  if (first !== undefined) throw toValidationError(first)
  return { writes }
}

export const stockLineItemWorkflow: WriteWorkflow = {
  lockForChange: (number, step) => lockOrderOf(ORDER_OF_LINE, number, step),

  completesFrom: ['shipment', 'line_item'],

  /** What a shipment has is changed at no other time either, so its shipment counts as new. */
  complete: (after, before, _request, step) =>
    linkedWhileInProgress(after, { ...before, shipment_id: null }, step),

  consequences: async ({ before, after }, _request, step) => {
    if (before === undefined) return {}
    if (after !== undefined) return reserveAgain(lineOf(before), lineOf(after), step)
    await releaseOf([lineOf(before)], step)
    await giveBack([lineOf(before)], step)
    return {}
  },
}

const byHand = whileInProgress('shipment', 'must be of an order whose fulfillment is in_progress')

const lineOf = (row: Row): RowOf<'StockLineItem'> => rowOf('StockLineItem', row)

export const stockLineItemCommands: readonly Command[] = [
  byHand('_reserve_stock', async ({ row, step }) => {
    const { shortages, writes } = await reserveFor([lineOf(row)], step)
    return shortages.length > 0 ? { violations: outOfStock(shortages) } : { writes }
  }),
  byHand('_release_stock', async ({ row, step }) => {
    await releaseOf([lineOf(row)], step)
    return {}
  }),
  byHand('_decrement_stock', async ({ row, step }) => {
    const { shortages, taken } = await takeOut([lineOf(row)], step)
    if (shortages.length > 0) return { violations: outOfStock(shortages) }
    return taken.length === 0 ? {} : { set: { decremented_at: step.now } }
  }),
]
