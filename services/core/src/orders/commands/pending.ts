/** `_pending`: a draft is a cart, and an order that could not be placed later is one again; why it could not is forgotten. */
import type { Command } from '../../engine/write/commands.ts'
import { transition } from '../../states/transition.ts'
import { orderStates } from '../order-states.ts'
import { expectedStatus, isMoved, plannedLines } from '../order-step.ts'
import { withoutErrors } from '../placing-errors.ts'

export const pending: Command = {
  trigger: '_pending',
  run: async (context) => {
    const { number, row, writes: planned, step } = context
    const lines = await plannedLines(number, planned, step)
    const subject = { order: row, lines, now: step.now }
    const moved = await transition(orderStates, row, { start: { trigger: '_pending' }, subject })
    if (!isMoved(moved)) return { violations: moved.violations }
    const forgotten = await withoutErrors(number, step)
    return {
      set: { ...moved.set, ...forgotten.set },
      expected: expectedStatus(context),
      topics: moved.topics,
      writes: forgotten.writes,
    }
  },
}
