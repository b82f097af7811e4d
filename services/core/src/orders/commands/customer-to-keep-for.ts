/** The customer for whom something of an order is kept; a guest keeps nothing for somebody who has a password. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../../engine/database/rows.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'

export const customerToKeepFor = async (
  trigger: string,
  { customer_id: number }: RowOf<'Order'>,
  { run, scope }: WorkflowStep,
): Promise<{ readonly customer: RowOf<'Customer'> } | { readonly violations: readonly WriteViolation[] }> => {
  const refuse = (error: string, message: string) => ({
    violations: [{ at: { attribute: trigger }, error, message }],
  })
  const [customer] = await run<RowOf<'Customer'>>(
    selectRow('customers', scope.environmentId, number ?? -1, false),
  )
  if (customer === undefined) return refuse('blank', 'needs an order with a customer')
  const isGuests = scope.salesChannel !== undefined && scope.salesChannel.customerId === undefined
  return isGuests && customer.password_hash !== null
    ? refuse('not_allowed', 'needs a token of the customer, who has a password')
    : { customer }
}
