/**
 * What other areas do with the money of an order, inside the transaction of a write and with the order locked: authorize,
 * capture, void and refund. Each returns a plan and writes nothing; one that has nothing left to do plans nothing.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import {
  afterAuthorization,
  afterCapture,
  afterRefund,
  afterVoid,
  advanceTo,
  captureLeft,
} from './after-movement.ts'
import { openCents, receivedCents, refundBalance } from './ledger.ts'
import { isStopped, moveEach, voidWhatIsOpen } from './move-each.ts'
import { outOfRange } from './out-of-range.ts'
import { stateOf } from './outside/attempt.ts'
import { paymentOfOrder } from './payment-of-order.ts'
import { advance, closePayment, move, openPayment } from './payment-plan.ts'
import { paymentStates } from './payment-states.ts'
import type { Payment, PaymentPlan, PaymentStep } from './payment.ts'

export interface AuthorizeOptions {
  /** How much is authorized afterwards, with what was before. Default: all that is due. */
  readonly amountCents?: number
  /** The order is being placed: it must be authorized in full, becomes free when nothing is due, and may be captured at once. */
  readonly isPlacing: boolean
}

/** `planned` are writes of the same request that come before, with what they move. */
export const authorizeOrder = async (
  order: Row,
  { amountCents, isPlacing }: AuthorizeOptions,
  step: PaymentStep,
  planned: readonly RowWrite[] = [],
): Promise<PaymentPlan> => {
  const payment = await openPayment(order, step, planned)
  const { total_amount_with_taxes_cents: due } = rowOf('Order', order)
  const held = openCents(payment.ledger) + receivedCents(payment.ledger) + pendingCents(payment)
  if (isPlacing && held > due) return refused(payment, mismatched(held, due))
  const wanted = isPlacing ? due : (amountCents ?? due)
  const refusal = refusalOfAmount(wanted, due)
  if (refusal !== undefined) return refused(payment, refusal)
  if (due === 0) return closePayment(isPlacing ? await advance(payment, 'free') : payment)
  const found = await paymentOfOrder(payment.order, payment.step)
  const authorized = wanted > held ? await authorize(payment, found, wanted - held) : payment
  return closePayment(isPlacing ? await captureAtOnce(authorized, found, due) : authorized)
}

/** What a gateway is to authorize, and answers later. */
const pendingCents = ({ stored }: Payment): number =>
  [...stored.values()].reduce((sum, row) => {
    const { type, amount_cents: cents } = rowOf('Transaction', row)
    return type === 'authorizations' && stateOf(row) === 'pending' ? sum + cents : sum
  }, 0)

type Found = Awaited<ReturnType<typeof paymentOfOrder>>

const authorize = async (payment: Payment, found: Found, amountCents: number): Promise<Payment> => {
  if ('violation' in found) return { ...payment, violations: [found.violation] }
  const { method, source } = found
  const gateway = method.payment_gateway_id
  const moved = await move(payment, { name: 'authorize', amountCents, gateway, source, at: SOURCE })
  return advanceTo(moved, afterAuthorization)
}

/** auto_capture, up to auto_capture_max_amount_cents of the order. */
const captureAtOnce = async (payment: Payment, found: Found, due: number): Promise<Payment> => {
  if (isStopped(payment) || openCents(payment.ledger) === 0) return payment
  if ('violation' in found) return payment
  const { auto_capture: isAutomatic, auto_capture_max_amount_cents: max } = found.method
  return isAutomatic && due <= (max ?? due) ? capture(payment) : payment
}

/** Captures the open authorizations, up to what is due: an order may cost less than when it was authorized. */
export const captureOrder = async (
  order: Row,
  step: PaymentStep,
  planned: readonly RowWrite[] = [],
): Promise<PaymentPlan> => {
  const payment = await openPayment(order, step, planned)
  return closePayment(
    openCents(payment.ledger) > 0 ? await capture(payment) : without(payment, 'pay', '_capture'),
  )
}

const capture = async (payment: Payment): Promise<Payment> =>
  advanceTo(await moveEach(payment, 'capture', captureLeft, '_capture'), afterCapture)

/** Voids all open authorizations; an order that has none stays as it is. */
export const voidOrder = async (
  order: Row,
  step: PaymentStep,
  planned: readonly RowWrite[] = [],
): Promise<PaymentPlan> => closePayment(await voidAll(await openPayment(order, step, planned)))

const voidAll = async (payment: Payment): Promise<Payment> =>
  openCents(payment.ledger) > 0 ? advanceTo(await voidWhatIsOpen(payment, '_cancel'), afterVoid) : payment

/** Refunds all captures, and voids what is still open. The plan sets payment_status `refunded`; to cancel the order is up to the caller. */
export const refundOrder = async (
  order: Row,
  step: PaymentStep,
  planned: readonly RowWrite[] = [],
): Promise<PaymentPlan> => {
  const payment = await openPayment(order, step, planned)
  return closePayment(
    receivedCents(payment.ledger) > 0 ? await refundAll(payment) : without(payment, 'refund', '_refund'),
  )
}

const refundAll = async (payment: Payment): Promise<Payment> => {
  const closed = await voidWhatIsOpen(payment, '_refund')
  return advanceTo(await moveEach(closed, 'refund', refundBalance, '_refund'), afterRefund)
}

/** Voids what is authorized and refunds what is captured; an order without money stays as it is. For cancelling orders. */
export const giveBackPayment = async (
  order: Row,
  step: PaymentStep,
  planned: readonly RowWrite[] = [],
): Promise<PaymentPlan> => {
  const payment = await voidAll(await openPayment(order, step, planned))
  return closePayment(
    receivedCents(payment.ledger) > 0 && !isStopped(payment) ? await refundAll(payment) : payment,
  )
}

/** Writes the transactions of an order that was imported as authorized or paid, and has none; otherwise nothing. */
export const openLedger = async (order: Row, step: PaymentStep): Promise<PaymentPlan> =>
  closePayment(await openPayment(order, step))

/** The source of the last authorization that succeeded; undefined when there is none. */
export const lastAuthorizedSource = async (order: Row, step: PaymentStep): Promise<Row | undefined> => {
  const { ledger, stored } = await openPayment(order, step)
  const last = ledger.findLast(({ id, type, succeeded }) => {
    const hasSource = (stored.get(id)?.['payment_source_id'] ?? null) !== null
    return type === 'authorizations' && succeeded && hasSource
  })
  const row = last === undefined ? undefined : stored.get(last.id)
  return row === undefined
    ? undefined
    : { payment_source_type: row['payment_source_type'], payment_source_id: row['payment_source_id'] }
}

const SOURCE = { relationship: 'payment_source' } as const

/** There is no money to move: nothing is planned when that was done before, otherwise it is a violation. */
const without = (payment: Payment, name: 'pay' | 'refund', attribute: string): Payment => {
  const { payment_status: status } = rowOf('Order', payment.order)
  const { to, from } = paymentStates.transitions[name]
  const isDone =
    name === 'pay' ? [to, 'partially_refunded', 'refunded', 'free'].includes(status) : status === to
  if (isDone) return payment
  const states: readonly string[] = from
  const violation: WriteViolation = states.includes(status)
    ? {
        at: { attribute },
        error: 'nothing_to_move',
        message: `cannot be done, because the order has no ${name === 'pay' ? 'authorization to capture' : 'capture to refund'}`,
      }
    : {
        at: { attribute: 'payment_status' },
        error: 'invalid_transition',
        message: `cannot transition from ${status} to ${to}`,
      }
  return { ...payment, violations: [violation] }
}

const refused = (payment: Payment, violation: WriteViolation): PaymentPlan =>
  closePayment({ ...payment, violations: [violation] })

const mismatched = (held: number, due: number): WriteViolation => ({
  at: SOURCE,
  error: 'mismatched_amounts',
  message: `has ${held} authorized or paid, more than the ${due} that are due; cancel the authorization or capture first`,
  value: held,
  count: due,
})

/** Nothing of an order that costs nothing is authorized already. */
const refusalOfAmount = (wanted: number, due: number): WriteViolation | undefined => {
  const message =
    due === 0 ? 'cannot be sent: nothing is due' : `must be between 1 and ${due}, the amount due`
  return wanted === due ? undefined : outOfRange(wanted, due, message, '_authorization_amount_cents')
}
