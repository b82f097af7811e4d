/** The line of an order's payment method: there is one as long as the order has a method, with what the method costs. */
import type { Row } from '@merx/jsonapi/attributes'
import { deleteRow, insertRow, selectRow, updateRow } from '../engine/sql/write-statements.ts'
import type { RowChange, WorkflowStep } from '../engine/write/write-workflow.ts'

/** An order that becomes pending without a method gets its market's default one, if that can be used for it. */
export const defaultPaymentMethod = async (order: Row, status: Row, step: WorkflowStep): Promise<Row> => {
  if (status['status'] !== 'pending' || order['payment_method_id'] !== null) return {}
  const text = `SELECT methods.id FROM markets
    JOIN payment_methods AS methods ON methods.environment_id = markets.environment_id
      AND methods.id = markets.default_payment_method_id
    WHERE markets.environment_id = $1 AND markets.id = $2
      AND methods.disabled_at IS NULL AND methods.currency_code = $3`
  const values = [step.scope.environmentId, order['market_id'], order['currency_code']]
  const [method] = await step.run({ text, values })
  return method === undefined ? {} : { payment_method_id: method['id'] }
}

/** `order` is the row as it will be. */
export const writePaymentLine = async (order: Row, step: WorkflowStep): Promise<readonly RowChange[]> => {
  const { run, registry, scope } = step
  const definition = registry.require('line_items')
  const text = `SELECT * FROM line_items
    WHERE environment_id = $1 AND order_id = $2 AND item_type = 'payment_methods' ORDER BY id`
  const [existing, ...surplus] = await run({ text, values: [scope.environmentId, order['id']] })
  const columns = await columnsOf(order, step)
  const obsolete = columns === undefined && existing !== undefined ? [existing, ...surplus] : surplus
  const changes: RowChange[] = []
  for (const before of obsolete) {
    const number = Number(before['id'])
    await run(deleteRow(definition.table, scope.environmentId, number))
    changes.push({ definition, number, before, after: undefined })
  }
  if (columns === undefined) return changes
  const [after] =
    existing === undefined
      ? await run(insertRow(definition.table, scope.environmentId, columns))
      : await run(updateRow(definition.table, scope.environmentId, Number(existing['id']), columns))
  return [...changes, { definition, number: Number(after?.['id']), before: existing, after }]
}

const columnsOf = async (order: Row, { run, scope }: WorkflowStep): Promise<Row | undefined> => {
  const number = order['payment_method_id']
  if (typeof number !== 'number') return undefined
  const [method] = await run(selectRow('payment_methods', scope.environmentId, number, false))
  return {
    order_id: order['id'],
    item_type: 'payment_methods',
    item_id: number,
    name: method?.['name'] ?? null,
    quantity: 1,
    currency_code: order['currency_code'],
    unit_amount_cents: method?.['price_amount_cents'] ?? 0,
  }
}
