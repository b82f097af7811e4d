/** `_refund` of a capture, with `_refund_amount_cents` a part of it. When all is given back the order is cancelled. */
import { afterRefund } from '../after-movement.ts'
import { refundBalance } from '../ledger.ts'
import { movePart } from './move-part.ts'
import { transactionCommand } from './transaction-command.ts'

export const refund = transactionCommand('_refund', (subject) => {
  const leftCents = refundBalance(subject.movement)
  const isDone = leftCents === 0 && subject.movement.refund_amount_cents > 0
  return movePart(subject, { trigger: '_refund', name: 'refund', leftCents, isDone, after: afterRefund })
})
