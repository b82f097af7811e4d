/** The source of an order joins the wallet of its customer, unless an entry says the same already. */
import type { RowOf } from '../../engine/database/rows.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import { titleOf } from '../payment-method-name.ts'
import { contentOfEntry, findSource, saysSame } from './source-content.ts'
import { tokensFromGateway } from './tokens-from-gateway.ts'

/** The customer is locked, so that two orders do not add the same. */
export const addToWallet = async (
  { payment_method_id, payment_source_type: type, payment_source_id: number }: RowOf<'Order'>,
  customer: number,
  step: WorkflowStep,
): Promise<readonly RowWrite[]> => {
  const { run, registry, scope } = step
  const source = await findSource(type, number, step)
  if (source === undefined || type === null) return []
  const lock = 'SELECT 1 FROM customers WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  await run({ text: lock, values: [scope.environmentId, customer] })
  const entries = await run<RowOf<'CustomerPaymentSource'>>({
    text: `SELECT * FROM customer_payment_sources
      WHERE environment_id = $1 AND customer_id = $2 AND payment_source_type = $3
        AND payment_method_id IS NOT DISTINCT FROM $4`,
    values: [scope.environmentId, customer, type, payment_method_id],
  })
  for (const entry of entries) {
    if (entry.payment_source_id === number) return []
    const kept = await findSource(type, entry.payment_source_id, step)
    if (kept !== undefined && saysSame(contentOfEntry(entry, kept), source)) return []
  }
  const tokens = await tokensFromGateway(type, source, step)
  if (tokens === undefined) return []
  const columns = {
    customer_id: customer,
    name: titleOf(type),
    payment_method_id,
    payment_source_type: type,
    payment_source_id: number,
    ...tokens,
  }
  return [{ definition: registry.require('customer_payment_sources'), before: undefined, columns }]
}
