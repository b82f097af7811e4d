/** `_refund`: everything that was captured is given back, and the order is cancelled (reactions.ts). */
import type { Command } from '../../engine/write/commands.ts'
import { refundOrder } from '../../payments/pay-order.ts'
import { whileApproved } from './while-approved.ts'

export const refund: Command = {
  trigger: '_refund',
  run: async ({ row, writes, step }) =>
    whileApproved('_refund', row, ['refunded']) ?? refundOrder(row, step, writes),
}
