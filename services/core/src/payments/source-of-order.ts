/** Which payment source an order may have, and when it may have another one. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { mismatchOf, reasonAgainstGateway } from './payment-of-order.ts'

/** Statuses of an order in which it can be paid differently. */
export const SOURCES_OPEN: readonly string[] = ['draft', 'pending', 'editing']

/** Payment statuses in which no money depends on the source. */
const WITHOUT_MONEY: readonly string[] = ['unpaid', 'partially_authorized', 'voided', 'free']

export const isFreeToChange = (paymentStatus: string): boolean => WITHOUT_MONEY.includes(paymentStatus)

export const CANCEL_FIRST = 'cancel its authorization or capture first'

/** Why the order cannot have the source that it would have after the write. `payment_source` says so of the order. */
export const reasonAgainstNewSource = async (
  after: Row,
  before: Row | undefined,
  { run, registry, scope }: WorkflowStep,
): Promise<WriteViolation | undefined> => {
  const { payment_source_type: type = null, payment_source_id: number = null } = columnsOf('Order', after)
  const old = columnsOf('Order', before ?? {})
  const isSame = (old.payment_source_type ?? null) === type && (old.payment_source_id ?? null) === number
  if (isSame) return undefined
  const { payment_status: payment = 'unpaid' } = columnsOf('Order', after)
  if (!isFreeToChange(payment)) return notEditable(payment)
  if (type === null || number === null) return undefined
  const [source] = await run(selectRow(registry.require(type).table, scope.environmentId, number, false))
  const reason = await reasonAgainstPayingWith(source ?? {}, type, after, { run, scope })
  if (reason !== undefined) return reason
  if (before !== undefined && source?.['order_id'] === before['id']) return undefined
  return refuse('invalid', `is of another order; create one with this order in ${type}`)
}

/** Why the order cannot be paid with such a source. */
export const reasonAgainstPayingWith = async (
  source: Row,
  type: string,
  order: Row,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<WriteViolation | undefined> => {
  const { payment_status: payment = 'unpaid', payment_method_id: number = null } = columnsOf('Order', order)
  if (!isFreeToChange(payment)) return notEditable(payment)
  const [method] = await run<RowOf<'PaymentMethod'>>(
    selectRow('payment_methods', scope.environmentId, number ?? -1, false),
  )
  if (method === undefined) return refuse('blank', 'needs an order with a payment method')
  return mismatchOf(type, method) ?? reasonAgainstGateway(source, method)
}

const notEditable = (payment: string): WriteViolation =>
  refuse('not_editable', `cannot be changed on an order that is ${payment}; ${CANCEL_FIRST}`)

const refuse = (error: string, message: string): WriteViolation => ({
  at: { relationship: 'payment_source' },
  error,
  message,
})
