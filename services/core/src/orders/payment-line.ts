/** The line of an order's payment method: there is one as long as the order has a method, with what the method costs. */
import type { Row } from '@merx/jsonapi/attributes'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { NEW_LINE } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'
import type { OrderStatus } from './order-states.ts'

const PENDING: OrderStatus = 'pending'

/** An order that becomes pending without a method gets its market's default one, if that can be used for it. */
export const defaultPaymentMethod = async (order: Row, status: Row, step: WorkflowStep): Promise<Row> => {
  if (status['status'] !== PENDING || order['payment_method_id'] !== null) return {}
  const text = `SELECT methods.id FROM markets
    JOIN payment_methods AS methods ON methods.environment_id = markets.environment_id
      AND methods.id = markets.default_payment_method_id
    WHERE markets.environment_id = $1 AND markets.id = $2
      AND methods.disabled_at IS NULL AND methods.currency_code = $3`
  const values = [step.scope.environmentId, order['market_id'], order['currency_code']]
  const [method] = await step.run({ text, values })
  return method === undefined ? {} : { payment_method_id: method['id'] }
}

/** The lines with the one of the payment method; `order` is the row as it will be. */
export const withPaymentLine = async (
  order: Row,
  lines: readonly OrderLine[],
  step: WorkflowStep,
): Promise<readonly OrderLine[]> => {
  const columns = await columnsOf(order, step)
  const existing = lines.find(isPayment)
  const others = lines.map((line) => {
    if (!isPayment(line)) return line
    return line === existing && columns !== undefined
      ? { ...line, after: { ...line.after, ...columns } }
      : { ...line, after: undefined }
  })
  return columns === undefined || existing !== undefined
    ? others
    : [...others, { before: undefined, after: { ...NEW_LINE, ...columns } }]
}

const isPayment = ({ after }: OrderLine): boolean => after?.['item_type'] === 'payment_methods'

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
