/** Stock line items by hand: what one took from stock or has reserved is given back when it goes. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Command } from '../engine/write/commands.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { giveBack, releaseOf, reserveFor, takeOut } from './stock-of-lines.ts'
import { whileInProgress } from './while-in-progress.ts'

/** Documents are locked before stock: the order of the line, if it is of a shipment. */
export const lockOrderOfShipment = async (
  shipment: string,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<Row | undefined> => {
  const text = `SELECT orders.* FROM orders JOIN shipments ON shipments.environment_id = $1
      AND shipments.id = ${shipment} AND shipments.order_id = orders.id
    WHERE orders.environment_id = $1 FOR NO KEY UPDATE OF orders`
  const [order] = await run({ text, values: [scope.environmentId, number] })
  return order
}

export const stockLineItemWorkflow: WriteWorkflow = {
  lockForChange: (number, step) =>
    lockOrderOfShipment(
      '(SELECT shipment_id FROM stock_line_items WHERE environment_id = $1 AND id = $2)',
      number,
      step,
    ),

  consequences: async ({ before, after }, _request, step) => {
    if (before === undefined || after !== undefined) return {}
    await releaseOf([lineOf(before)], step)
    await giveBack([lineOf(before)], step)
    return {}
  },
}

const byHand = whileInProgress('shipment', 'must be of an order whose fulfillment is in_progress')

const lineOf = (row: Row): RowOf<'StockLineItem'> => rowOf('StockLineItem', row)

export const stockLineItemCommands: readonly Command[] = [
  byHand('_reserve_stock', ({ row, step }) => reserveFor([lineOf(row)], step)),
  byHand('_release_stock', async ({ row, step }) => {
    await releaseOf([lineOf(row)], step)
    return {}
  }),
  byHand('_decrement_stock', async ({ row, step }) => {
    const [taken] = await takeOut([lineOf(row)], step)
    return taken === undefined ? {} : { set: { decremented_at: step.now } }
  }),
]
