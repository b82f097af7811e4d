/** Moves all that is left of a transaction, or the amount that was sent. */
import { advanceTo } from '../after-movement.ts'
import type { AfterMovement } from '../after-movement.ts'
import { receivedCents } from '../ledger.ts'
import { isStopped, voidWhatIsOpen } from '../move-each.ts'
import { outOfRange } from '../out-of-range.ts'
import { move } from '../payment-plan.ts'
import type { Payment } from '../payment.ts'
import { nothingLeft } from './nothing-left.ts'
import { refusalByStatus } from './order-allows.ts'
import { refusedBy } from './transaction-command.ts'
import type { TransactionSubject } from './transaction-command.ts'

export interface PartToMove {
  readonly trigger: '_capture' | '_refund'
  readonly name: 'capture' | 'refund'
  readonly leftCents: number
  /** All was moved before: to do that again is a success that does nothing. */
  readonly isDone: boolean
  readonly after: AfterMovement
}

export const movePart = async (
  { payment, movement, amountCents }: TransactionSubject,
  { trigger, name, leftCents, isDone, after }: PartToMove,
): Promise<Payment> => {
  if (isDone && amountCents === undefined) return payment
  const attribute = amountCents === undefined ? trigger : `${trigger}_amount_cents`
  if (leftCents === 0) return refusedBy(payment, nothingLeft(movement, attribute))
  const amount = amountCents ?? leftCents
  const message = `must be between 1 and ${leftCents}, what is left of it`
  const refusal = refusalByStatus(trigger, payment.order) ?? outOfRange(amount, leftCents, message, attribute)
  if (refusal !== undefined) return refusedBy(payment, refusal)
  const isAllRefunded = name === 'refund' && amount === receivedCents(payment.ledger)
  const closed = isAllRefunded ? await voidWhatIsOpen(payment, attribute) : payment
  if (isStopped(closed)) return closed
  const at = { attribute }
  return advanceTo(await move(closed, { name, amountCents: amount, origin: movement, at }), after)
}
