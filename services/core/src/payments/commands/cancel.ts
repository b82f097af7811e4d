/** `_cancel` of an authorization or a capture: the money goes back while the order is a cart, which is unpaid again. */
import { advanceTo, afterCancel } from '../after-movement.ts'
import { refundBalance, voidBalance } from '../ledger.ts'
import { move } from '../payment-plan.ts'
import { nothingLeft } from './nothing-left.ts'
import { refusalByStatus } from './order-allows.ts'
import { refusedBy, transactionCommand } from './transaction-command.ts'
import type { TransactionSubject } from './transaction-command.ts'

const TRIGGER = '_cancel'

const giveBack = async (
  { payment, movement }: TransactionSubject,
  name: 'void' | 'refund',
  amountCents: number,
) => {
  if (amountCents === 0) return refusedBy(payment, nothingLeft(movement, TRIGGER))
  const refusal = refusalByStatus(TRIGGER, payment.order)
  if (refusal !== undefined) return refusedBy(payment, refusal)
  const at = { attribute: TRIGGER }
  return advanceTo(await move(payment, { name, amountCents, origin: movement, at }), afterCancel)
}

export const cancelAuthorization = transactionCommand(TRIGGER, async (subject) =>
  subject.movement.void_amount_cents > 0
    ? subject.payment
    : giveBack(subject, 'void', voidBalance(subject.movement)),
)

export const cancelCapture = transactionCommand(TRIGGER, async (subject) => {
  const { movement, payment } = subject
  const left = refundBalance(movement)
  return left === 0 && movement.refund_amount_cents > 0 ? payment : giveBack(subject, 'refund', left)
})
