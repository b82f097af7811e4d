/** `_create_subscriptions`: the lines with a frequency are ordered again and again. With `_place`, also later in the same request. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { planSubscriptions } from '../../subscriptions/plan-subscriptions.ts'
import { PLACED } from '../order-states.ts'
import { isRefused, plannedLines } from '../order-step.ts'

const TRIGGER = '_create_subscriptions'

export const createSubscriptions: Command = {
  trigger: TRIGGER,
  run: async ({ number, row, writes, request, step }) => {
    const order = rowOf('Order', row)
    if (order.subscription_created_at !== null) return {}
    const isPlaced = PLACED.includes(order.status)
    // A payment that was refused left the order as it is.
    if (!isPlaced && request.triggers.has('_place') && order.status !== 'placing') return {}
    if (!isPlaced && order.status !== 'placing') {
      const message = `cannot be done to an order that is ${order.status}; send it with _place, or afterwards`
      return { violations: [{ at: { attribute: TRIGGER }, error: 'invalid_status', message }] }
    }
    const planned = await planSubscriptions(order, await plannedLines(number, writes, step), step)
    if (isPlaced || isRefused(planned)) return planned
    // A job places it, and the event creates them (subscriptions/reactions.ts).
    return { set: { wants_subscriptions: true } }
  },
}
