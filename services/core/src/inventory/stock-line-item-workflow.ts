/** Stock line items by hand: what one took from stock or has reserved is given back when it goes. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Command, CommandContext, CommandOutcome } from '../engine/write/commands.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { giveBack, releaseOf, reserveFor, takeOut } from './stock-of-lines.ts'

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
    await releaseOf([before], step)
    await giveBack([before], step)
    return {}
  },
}

const notInProgress: WriteViolation = {
  at: { relationship: 'shipment' },
  error: 'not_in_progress',
  message: 'must be of an order whose fulfillment is in_progress',
}

/** The order of the line is in fulfillment; then its stock is moved by hand (lifecycles.md 4.3). */
const byHand = (
  trigger: `_${string}`,
  run: (context: CommandContext) => Promise<CommandOutcome>,
): Command => ({
  trigger,
  run: async (context) =>
    context.step.locked?.['fulfillment_status'] === 'in_progress'
      ? run(context)
      : { violations: [notInProgress] },
})

export const stockLineItemCommands: readonly Command[] = [
  byHand('_reserve_stock', ({ row, step }) => reserveFor([row], step)),
  byHand('_release_stock', async ({ row, step }) => {
    await releaseOf([row], step)
    return {}
  }),
  byHand('_decrement_stock', async ({ row, step }) => {
    const [taken] = await takeOut([row], step)
    return taken === undefined ? {} : { set: { decremented_at: step.now } }
  }),
]
