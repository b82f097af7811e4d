/** `_stop_editing`: the changed order is placed again: everything it lacks is reported, and its stock is promised as it is now. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { settleGiftCards } from '../../gift-cards/settle.ts'
import { countUses } from '../../promotions/uses.ts'
import { transition } from '../../states/transition.ts'
import { announceShipments, moveFulfillment } from '../fulfillment.ts'
import { wantedGiftCards } from '../gift-card-line.ts'
import { orderStates } from '../order-states.ts'
import { expectedStatus, isMoved, plannedLines } from '../order-step.ts'
import { editedViolationsOf } from '../placeable/checks.ts'
import { readPlaceableFacts } from '../placeable/facts.ts'
import { usedPromotions } from '../promotion-lines.ts'
import { readOrdered } from '../stock/order-stock.ts'
import { promiseStock } from '../stock/promise-stock.ts'

export const stopEditing: Command = {
  trigger: '_stop_editing',
  run: async (context) => {
    const { number, row, writes: planned, step } = context
    const order = rowOf('Order', row)
    const lines = await plannedLines(number, planned, step)
    const ordering = readOrdered(number, lines, step)
    const isOpen = order.status === 'editing'
    const facts = isOpen ? await readPlaceableFacts(order, lines, ordering, step) : undefined
    const ordered = await ordering
    const unplaceable = facts === undefined ? [] : editedViolationsOf(facts)
    const subject = { order, lines, now: step.now, unplaceable }
    const moved = await transition(orderStates, row, { start: { trigger: '_stop_editing' }, subject })
    if (!isMoved(moved)) return { violations: moved.violations }
    const promised = await promiseStock(order, lines, ordered, step)
    if (promised.violations.length > 0) return { violations: promised.violations }
    const uncounted = await countUses(order, usedPromotions(lines), step)
    if (uncounted.length > 0) return { violations: uncounted }
    const giftCards = await settleGiftCards(order, wantedGiftCards(lines), step)
    if (giftCards.violations.length > 0) return { violations: giftCards.violations }
    const placed = { ...row, ...promised.set, ...moved.set }
    const fulfillment = await moveFulfillment(placed, 'automatic', step)
    return {
      set: { ...promised.set, ...moved.set, ...fulfillment.set },
      expected: expectedStatus(context),
      topics: [...promised.topics, ...moved.topics, ...fulfillment.topics],
      writes: [...promised.writes, ...giftCards.writes, ...(await announceShipments(number, step))],
    }
  },
}
