/** `_authorize`: the cart is authorized without being placed, with `_authorization_amount_cents` up to that amount. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { authorizeOrder, openLedger } from '../../payments/pay-order.ts'
import { IN_THE_MAKING } from '../order-states.ts'

const TRIGGER = '_authorize'

/** Payment statuses of an order that was authorized before; one that was imported so gets the transactions that this means. */
const DONE: readonly string[] = ['authorized', 'paid', 'free']

export const authorize: Command = {
  trigger: TRIGGER,
  run: async ({ row, writes, request, step }) => {
    const { status, payment_status: payment } = rowOf('Order', row)
    if (IN_THE_MAKING.includes(status)) {
      const amount = request.triggers.get('_authorization_amount_cents')
      const limit = typeof amount === 'number' ? { amountCents: amount } : {}
      return authorizeOrder(row, { isPlacing: false, ...limit }, step, writes)
    }
    if (DONE.includes(payment)) return openLedger(row, step)
    const message = `cannot be done to an order that is ${status}, only while it is ${IN_THE_MAKING.join(' or ')}`
    return { violations: [{ at: { attribute: TRIGGER }, error: 'invalid_status', message, value: status }] }
  },
}
