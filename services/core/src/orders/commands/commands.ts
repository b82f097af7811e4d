/** The commands of orders. One request starts one of those that move it (one-command.ts). */
import type { Command } from '../../engine/write/commands.ts'
import { approve, approveAndCapture } from './approve.ts'
import { authorize } from './authorize.ts'
import { cancel } from './cancel.ts'
import { capture } from './capture.ts'
import { createSubscriptions } from './create-subscriptions.ts'
import { fixPaymentSource } from './fix-payment-source.ts'
import { fulfill } from './fulfill.ts'
import { pending } from './pending.ts'
import { place } from './place.ts'
import { refund } from './refund.ts'
import { saveBillingAddress, saveShippingAddress } from './save-address.ts'
import { savePaymentSource } from './save-payment-source.ts'
import { startEditing } from './start-editing.ts'
import { stopEditing } from './stop-editing.ts'
import { validate } from './validate.ts'

export const orderCommands: readonly Command[] = [
  pending,
  place,
  startEditing,
  stopEditing,
  approve,
  approveAndCapture,
  capture,
  refund,
  cancel,
  fulfill,
  authorize,
  fixPaymentSource,
  saveBillingAddress,
  saveShippingAddress,
  savePaymentSource,
  createSubscriptions,
  validate,
]
