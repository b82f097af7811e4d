/** `_save_payment_source_to_customer_wallet`: the customer can pay later orders with the source of this one. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import { addToWallet } from '../../payments/wallet/add-to-wallet.ts'
import { customerToKeepFor } from './customer-to-keep-for.ts'

const TRIGGER = '_save_payment_source_to_customer_wallet'

export const savePaymentSource: Command = {
  trigger: TRIGGER,
  run: async ({ row, step }) => {
    const order = rowOf('Order', row)
    const found = await customerToKeepFor(TRIGGER, order, step)
    if ('violations' in found) return found
    if (order.payment_source_id === null) {
      const message = 'needs an order with a payment source'
      return { violations: [{ at: { attribute: TRIGGER }, error: 'blank', message }] }
    }
    return { writes: await addToWallet(order, found.customer.id, step) }
  },
}
