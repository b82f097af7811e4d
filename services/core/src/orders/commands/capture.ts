/** `_capture`: everything that is authorized is captured; an order that was not approved yet is approved first. */
import type { Command } from '../../engine/write/commands.ts'
import { captureOrder } from '../../payments/pay-order.ts'
import { whileApproved } from './while-approved.ts'

export const capture: Command = {
  trigger: '_capture',
  run: async ({ row, writes, step }) =>
    whileApproved('_capture', row, ['paid', 'free']) ?? captureOrder(row, step, writes),
}
