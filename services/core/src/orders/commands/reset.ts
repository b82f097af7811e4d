/** `_pending`: an order that could not be placed later is a cart again, without its errors. */
import type { Command } from '../../engine/write/commands.ts'
import { transition } from '../../states/transition.ts'
import { orderStates } from '../order-states.ts'
import { isMoved, plannedLines } from '../order-step.ts'
import { clearErrors } from '../placing-errors.ts'

export const reset: Command = {
  trigger: '_pending',
  run: async ({ number, row, writes: planned, step }) => {
    const lines = await plannedLines(number, planned, step)
    const subject = { order: row, lines, now: step.now }
    const moved = await transition(orderStates, row, { start: { trigger: '_pending' }, subject })
    if (!isMoved(moved)) return { violations: moved.violations }
    return { ...moved, expected: {}, writes: await clearErrors(number, step) }
  },
}
