/** `_capture`: what is authorized of an approved order is captured, up to what is due. */
import type { Command } from '../../engine/write/commands.ts'
import { captureOrder } from '../../payments/pay-order.ts'
import { whileApproved } from './while-approved.ts'

export const capture: Command = {
  trigger: '_capture',
  run: async ({ row, writes, step }) =>
    whileApproved('_capture', row, ['paid', 'free']) ?? captureOrder(row, step, writes),
}
