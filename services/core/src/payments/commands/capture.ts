/** `_capture` of an authorization, with `_capture_amount_cents` a part of it. */
import { afterCapture, captureLeft } from '../after-movement.ts'
import { movePart } from './move-part.ts'
import { transactionCommand } from './transaction-command.ts'

export const capture = transactionCommand('_capture', (subject) => {
  const { payment, movement } = subject
  const leftCents = captureLeft(movement, payment)
  const isDone = leftCents === 0 && movement.capture_amount_cents > 0
  return movePart(subject, { trigger: '_capture', name: 'capture', leftCents, isDone, after: afterCapture })
})
