/** Moves all that is left of a transaction, or the amount that was sent. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { advanceTo } from '../after-movement.ts'
import type { AfterMovement } from '../after-movement.ts'
import { move } from '../payment-plan.ts'
import type { Payment } from '../payment-plan.ts'
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
  const refusal = refusalByStatus(trigger, payment.order) ?? outOfRange(amountCents, leftCents, attribute)
  if (refusal !== undefined) return refusedBy(payment, refusal)
  const amount = amountCents ?? leftCents
  const at = { attribute }
  return advanceTo(await move(payment, { name, amountCents: amount, origin: movement, at }), after)
}

const outOfRange = (
  wanted: number | undefined,
  left: number,
  attribute: string,
): WriteViolation | undefined => {
  if (wanted === undefined || (wanted >= 1 && wanted <= left)) return undefined
  return {
    at: { attribute },
    error: wanted < 1 ? 'greater_than_or_equal_to' : 'less_than_or_equal_to',
    message: `must be between 1 and ${left}, what is left of it`,
    value: wanted,
    count: wanted < 1 ? 1 : left,
  }
}
