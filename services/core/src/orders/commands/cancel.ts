/** `_cancel`: the money goes back, stock and shipments are given up, uses of promotions and gift cards given back. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { giveBackGiftCards } from '../../gift-cards/settle.ts'
import { giveBackPayment } from '../../payments/pay-order.ts'
import { giveBackUses } from '../../promotions/uses.ts'
import { transition } from '../../states/transition.ts'
import { orderStates } from '../order-states.ts'
import { expectedStatus, isMoved } from '../order-step.ts'
import { giveUpStock } from '../stock/stock-of-order.ts'

export const cancel: Command = {
  trigger: '_cancel',
  run: async (context) => {
    const { number, row, writes: planned, step } = context
    const subject = { order: row, lines: [], now: step.now }
    const moved = await transition(orderStates, row, { start: { trigger: '_cancel' }, subject })
    if (!isMoved(moved)) return { violations: moved.violations }
    const payment = await giveBackPayment({ ...row, ...moved.set }, step, planned)
    if (payment.violations.length > 0) return { violations: payment.violations }
    if (payment.failure !== undefined) return {}
    const writes = [...payment.writes, ...(await giveUpStock(number, step))]
    await giveBackUses(number, step)
    const giftCards = await giveBackGiftCards(rowOf('Order', row), step)
    return {
      set: { ...moved.set, ...payment.set },
      expected: expectedStatus(context),
      topics: [...moved.topics, ...payment.topics],
      writes: [...writes, ...giftCards],
    }
  },
}
