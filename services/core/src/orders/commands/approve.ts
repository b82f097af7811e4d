/** `_approve` and `_approve_and_capture`: the shop accepts the order, and what it holds leaves the stock. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { captureOrder } from '../../payments/pay-order.ts'
import { transition } from '../../states/transition.ts'
import { orderStates } from '../order-states.ts'
import { expectedStatus, isMoved } from '../order-step.ts'
import { withoutErrors } from '../placing-errors.ts'
import { takeStock } from '../stock/stock-of-order.ts'

const approveBy = (trigger: '_approve' | '_approve_and_capture'): Command => ({
  trigger,
  run: async (context) => {
    const { number, row, writes: planned, step } = context
    const subject = { order: row, lines: [], now: step.now }
    const moved = await transition(orderStates, row, { start: { trigger }, subject })
    if (!isMoved(moved)) return { violations: moved.violations }
    await step.run({ text: 'SAVEPOINT untaken', values: [] })
    const stock = await takeStock(number, step)
    if (stock.violations.length > 0) return { violations: stock.violations }
    const approved = { ...row, ...moved.set }
    const payment = trigger === '_approve' ? undefined : await captureOrder(approved, step, planned)
    if (payment !== undefined && payment.violations.length > 0) return { violations: payment.violations }
    if (payment?.failure !== undefined) {
      await step.run({ text: 'ROLLBACK TO SAVEPOINT untaken', values: [] })
      return {}
    }
    // What a validation found was advice until now.
    const errors = rowOf('Order', row).errors_count > 0 ? await withoutErrors(number, step) : undefined
    return {
      set: { ...moved.set, ...payment?.set, ...errors?.set },
      expected: expectedStatus(context),
      topics: [...moved.topics, ...(payment?.topics ?? [])],
      writes: [...stock.writes, ...(payment?.writes ?? []), ...(errors?.writes ?? [])],
    }
  },
})

export const approve = approveBy('_approve')
export const approveAndCapture = approveBy('_approve_and_capture')
