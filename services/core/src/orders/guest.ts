/** Whether an order is a guest's (docs/adr/0077-who-is-a-guest.md). */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { columnsOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

/**
 * Decided when the order gets its customer, unless the request says it: for a guest's token always, for a customer's own
 * never, for everybody else when the customer has no password. `after` has the customer as it will be.
 */
export const guestOf = async (
  after: Row,
  before: Row | undefined,
  { attributes }: WriteRequest,
  { run, scope: { salesChannel, environmentId }, isImport }: WorkflowStep,
): Promise<Row> => {
  if (isImport || attributes.has('guest')) return {}
  const number = columnsOf('Order', after).customer_id ?? null
  const isNew = before === undefined || before['customer_id'] !== number
  if (!isNew) return {}
  if (salesChannel !== undefined) return { guest: salesChannel.customerId === undefined }
  if (number === null) return {}
  const [customer] = await run(selectRow('customers', environmentId, number, false, ['password_hash']))
  return { guest: customer?.['password_hash'] === null }
}
