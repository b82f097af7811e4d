/** `_start_editing` and `_stop_editing`: a placed order is changed below the total that was paid for. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { transitionCommand } from '../../states/transition-command.ts'
import { transition } from '../../states/transition.ts'
import { announceShipments, moveFulfillment } from '../fulfillment.ts'
import { orderStates } from '../order-states.ts'
import { expectedStatus, isMoved, plannedLines } from '../order-step.ts'
import { EDIT_CHECKS, violationsOf } from '../placeable/checks.ts'
import { readPlaceableFacts } from '../placeable/facts.ts'
import { holdStock } from '../stock/hold-stock.ts'

export const startEditing = transitionCommand(orderStates, '_start_editing', ({ row, step }) => ({
  order: row,
  lines: [],
  now: step.now,
}))

/** What the order holds of stock is held again, for the lines as they are now. */
export const stopEditing: Command = {
  trigger: '_stop_editing',
  run: async (context) => {
    const { number, row, writes: planned, step } = context
    const order = rowOf('Order', row)
    const lines = await plannedLines(number, planned, step)
    const isOpen = order.status === 'editing'
    const facts = isOpen ? await readPlaceableFacts(order, lines, step) : undefined
    const unplaceable = facts === undefined ? [] : violationsOf(facts, EDIT_CHECKS)
    const subject = { order, lines, now: step.now, unplaceable }
    const moved = await transition(orderStates, row, { start: { trigger: '_stop_editing' }, subject })
    if (!isMoved(moved)) return { violations: moved.violations }
    const held = await holdStock(number, lines, step, { isAnew: true })
    if (held.violations.length > 0) return { violations: held.violations }
    const fulfillment = await moveFulfillment({ ...row, ...moved.set }, 'automatic', step)
    return {
      set: { ...moved.set, ...fulfillment.set },
      expected: expectedStatus(context),
      topics: [...moved.topics, ...fulfillment.topics],
      writes: [...held.writes, ...(await announceShipments(number, step))],
    }
  },
}
