/** Gives back a part of what was captured for an order, as goods that came back are paid back: the order stays as it is. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import { advanceTo, afterRefund } from './after-movement.ts'
import { refundBalance } from './ledger.ts'
import { outOfRange } from './out-of-range.ts'
import { closePayment, move, openPayment } from './payment-plan.ts'
import type { Payment, PaymentPlan, PaymentStep } from './payment.ts'

export interface PartToRefund {
  /** Number of the capture; null for the last one that succeeded. */
  readonly capture: number | null
  readonly amountCents: number
  /** What the request sent. */
  readonly attribute: string
}

export interface RefundedCapture {
  readonly plan: PaymentPlan
  readonly capture: number | undefined
  /** The refund, which may still wait for the answer of its gateway; undefined when there is none. */
  readonly refund: number | undefined
}

/** In the transaction of a write, with the order locked. */
export const refundCapture = async (
  order: Row,
  { capture, amountCents, attribute }: PartToRefund,
  step: PaymentStep,
): Promise<RefundedCapture> => {
  const payment = await openPayment(order, step)
  const origin = payment.ledger.findLast(
    ({ id, type, succeeded }) => type === 'captures' && succeeded && (capture === null || id === capture),
  )
  const at = { attribute }
  if (origin === undefined) {
    const message = 'cannot be done, because the order has no capture to refund'
    return refused(payment, { at, error: 'nothing_to_move', message })
  }
  const left = refundBalance(origin)
  const message = `must be between 1 and ${left}, what is left of the capture`
  const violation = outOfRange(amountCents, left, message, attribute)
  if (violation !== undefined) return refused(payment, violation)
  const moved = await move(payment, { name: 'refund', amountCents, origin, at })
  const plan = closePayment(await advanceTo(moved, afterRefund))
  return { plan, capture: origin.id, refund: refundOf(plan, moved, origin.id) }
}

const refused = (payment: Payment, violation: WriteViolation): RefundedCapture => ({
  plan: closePayment({ ...payment, violations: [violation] }),
  capture: undefined,
  refund: undefined,
})

/** A new one, one that an outside gateway has answered, or one that it answers later. */
const refundOf = ({ writes }: PaymentPlan, { stored }: Payment, capture: number): number | undefined => {
  const isRefund = ({ definition }: RowWrite): boolean => definition.type === 'refunds'
  const written = writes.find(isRefund)
  if (written !== undefined) return written.number ?? numberOf(written.before ?? {})
  const isWaiting = (row: Row): boolean => {
    const { type, attempt, reference_capture_id: origin } = row as Partial<RowOf<'Transaction'>>
    return type === 'refunds' && attempt === 'pending' && origin === capture
  }
  const waiting = [...stored.values()].findLast(isWaiting)
  return waiting === undefined ? undefined : numberOf(waiting)
}
