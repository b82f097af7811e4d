/** `_fix_payment_source`: the order has the source again by which it was last authorized. */
import type { Command } from '../../engine/write/commands.ts'
import { lastAuthorizedSource } from '../../payments/pay-order.ts'

const TRIGGER = '_fix_payment_source'

export const fixPaymentSource: Command = {
  trigger: TRIGGER,
  run: async ({ row, step }) => {
    const source = await lastAuthorizedSource(row, step)
    if (source !== undefined)
      return source['payment_source_id'] === row['payment_source_id'] ? {} : { set: source }
    const message = 'cannot be done, because the order was never authorized with a payment source'
    return { violations: [{ at: { attribute: TRIGGER }, error: 'nothing_to_move', message }] }
  },
}
