/** `_place`: the cart becomes an order. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { expectedStatus, isRefused, plannedLines } from '../order-step.ts'
import { placeOrder } from '../place-order.ts'

export const place: Command = {
  trigger: '_place',
  run: async (context) => {
    const { number, row, writes: planned, step } = context
    const order = rowOf('Order', row)
    const lines = await plannedLines(number, planned, step)
    const outcome = await placeOrder({ order, lines, planned }, step)
    return isRefused(outcome) ? outcome : { ...outcome, expected: expectedStatus(context) }
  },
}
