/** Writes of transactions: the order is locked first, and one that succeeds later counts from then on. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import { refuseViolations } from '../engine/write/violations.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import {
  advanceTo,
  afterAuthorization,
  afterCancel,
  afterCapture,
  afterRefund,
  afterVoid,
} from './after-movement.ts'
import type { AfterMovement } from './after-movement.ts'
import { openTransaction, outcomeOf, refusedBy } from './commands/transaction-command.ts'
import type { TransactionSubject } from './commands/transaction-command.ts'
import { captureBalance, originOf, refundBalance, withSuccess } from './ledger.ts'
import type { Movement, TransactionType } from './ledger.ts'
import { lockOrder } from './lock-order.ts'
import { closePayment } from './payment-plan.ts'
import type { Payment } from './payment.ts'

export const transactionWorkflow: WriteWorkflow = {
  lockForChange: (number, step) =>
    lockOrder('(SELECT order_id FROM transactions WHERE environment_id = $1 AND id = $2)', number, step),

  consequences: async ({ number, before, after }, _request, step) => {
    if (before === undefined || after === undefined) return {}
    const { type, succeeded } = rowOf('Transaction', before)
    if (succeeded || !rowOf('Transaction', after).succeeded) return {}
    const planned = await succeed(await openTransaction(number, step))
    const { violations = [], writes = [] } = outcomeOf(closePayment(planned), number, step)
    refuseViolations(undefined, violations)
    return { set: { attempt: null }, writes, topics: [`${type}.succeeded`] }
  },
}

const BALANCE_OF: Readonly<Record<TransactionType, ((origin: Movement) => number) | undefined>> = {
  authorizations: undefined,
  captures: captureBalance,
  voids: captureBalance,
  refunds: refundBalance,
}

/** The balance of its origin must still have the amount; then the order moves on as if it had succeeded at once. */
const succeed = async ({ payment, movement }: Omit<TransactionSubject, 'amountCents'>): Promise<Payment> => {
  const origin = payment.ledger.find(({ id }) => id === originOf(movement))
  const left = origin === undefined ? undefined : BALANCE_OF[movement.type]?.(origin)
  if (left !== undefined && left < movement.amount_cents)
    return refusedBy(payment, tooMuch(movement.amount_cents, left))
  return advanceTo(
    { ...payment, ledger: withSuccess(payment.ledger, movement), moved: 1 },
    afterSuccess(movement.type, rowOf('Order', payment.order)),
  )
}

const tooMuch = (value: number, left: number): WriteViolation => ({
  at: { attribute: 'succeeded' },
  error: 'less_than_or_equal_to',
  message: `cannot be true: the amount is ${value}, and only ${left} is left of what it was for`,
  value,
  count: left,
})

const afterSuccess = (
  type: TransactionType,
  { status, payment_status: payment }: { readonly status: string; readonly payment_status: string },
): AfterMovement => {
  const isCart = status === 'draft' || status === 'pending'
  switch (type) {
    case 'authorizations':
      return payment === 'unpaid' || payment === 'partially_authorized' ? afterAuthorization : () => undefined
    case 'captures':
      return afterCapture
    case 'voids':
      return isCart ? afterCancel : afterVoid
    case 'refunds':
      return isCart ? afterCancel : afterRefund
  }
}
