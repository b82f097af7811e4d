/** Writes of wallets: a source is one of the customer's own orders, and of the type of the payment method beside it. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { WorkflowStep, WriteWorkflow } from '../../engine/write/write-workflow.ts'
import { titleOf } from '../payment-method-name.ts'
import { mismatchOf } from '../payment-of-order.ts'
import { findSource } from './source-content.ts'

export const walletWorkflow: WriteWorkflow = {
  completesFrom: ['customer', 'payment_method', 'payment_source'],

  complete: async (after, _before, _request, step) => {
    const { payment_source_type: type = null } = columnsOf('CustomerPaymentSource', after)
    const violation = type === null ? undefined : await reasonAgainst(after, type, step)
    if (violation !== undefined) return { violations: [violation] }
    return { set: { name: type === null ? null : titleOf(type) } }
  },
}

const reasonAgainst = async (
  after: Row,
  type: string,
  step: WorkflowStep,
): Promise<WriteViolation | undefined> => {
  const { run, scope } = step
  const entry = columnsOf('CustomerPaymentSource', after)
  const source = await findSource(type, entry.payment_source_id, step)
  const order = source?.['order_id']
  const [of] = await run<RowOf<'Order'>>(
    selectRow('orders', scope.environmentId, typeof order === 'number' ? order : -1, false),
  )
  const at = { relationship: 'payment_source' }
  if (of?.customer_id !== entry.customer_id)
    return { at, error: 'invalid', message: 'is of no order of the customer' }
  const [method] = await run<RowOf<'PaymentMethod'>>(
    selectRow('payment_methods', scope.environmentId, entry.payment_method_id ?? -1, false),
  )
  return method === undefined ? undefined : mismatchOf(type, method)
}
