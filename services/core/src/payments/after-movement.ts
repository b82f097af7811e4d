/** Which transition of its payment status an order makes after money has moved, and what is left to capture. Pure. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import { captureBalance, capturedCents, openCents, receivedCents } from './ledger.ts'
import type { Movement } from './ledger.ts'
import { advance } from './payment-plan.ts'
import type { PaymentTransition } from './payment-states.ts'
import type { Payment } from './payment.ts'

type Ledger = readonly Movement[]

/** Undefined when the status stays. */
export type AfterMovement = (ledger: Ledger, order: Row) => PaymentTransition | undefined

const dueOf = (order: Row): number => rowOf('Order', order).total_amount_with_taxes_cents

const heldOf = (ledger: Ledger): number => openCents(ledger) + receivedCents(ledger)

export const afterAuthorization = (ledger: Ledger, order: Row): PaymentTransition =>
  heldOf(ledger) >= dueOf(order) ? 'authorize' : 'authorizePartially'

/** An order is paid when as much was captured as is due, although a part of it may have been refunded by then. */
export const afterCapture = (ledger: Ledger, order: Row): PaymentTransition => {
  const captured = capturedCents(ledger)
  if (captured < dueOf(order)) return 'payPartially'
  return receivedCents(ledger) < captured ? 'payRefunded' : 'pay'
}

/** What was captured decides, if anything was. */
export const afterVoid = (ledger: Ledger): PaymentTransition | undefined => {
  if (receivedCents(ledger) > 0) return undefined
  return openCents(ledger) === 0 ? 'void' : 'voidPartially'
}

/** While not all that is due was captured, an order stays paid in part: the rest is captured still. */
export const afterRefund = (ledger: Ledger, order: Row): PaymentTransition | undefined => {
  if (receivedCents(ledger) === 0) return 'refund'
  return capturedCents(ledger) >= dueOf(order) ? 'refundPartially' : undefined
}

/** Given back before the order is placed: it is unpaid again, as far as nothing else is held. */
export const afterCancel = (ledger: Ledger, order: Row): PaymentTransition | undefined => {
  if (heldOf(ledger) === 0) return 'reset'
  return rowOf('Order', order).payment_status === 'partially_authorized' ? undefined : 'resetPartially'
}

/** An order may cost less than when it was authorized: no more is captured than is due, and what was refunded not again. */
export const captureLeft = (
  movement: Movement,
  { ledger, order }: Pick<Payment, 'ledger' | 'order'>,
): number => Math.max(0, Math.min(captureBalance(movement), dueOf(order) - capturedCents(ledger)))

/** What a gateway will answer later moves nothing yet. */
export const advanceTo = (payment: Payment, choose: AfterMovement): Promise<Payment> => {
  if (payment.failure !== undefined || (payment.waiting > 0 && payment.moved === 0))
    return Promise.resolve(payment)
  const name = choose(payment.ledger, payment.order)
  return name === undefined ? Promise.resolve(payment) : advance(payment, name)
}
