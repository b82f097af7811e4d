/** Stock is moved by hand only while the order, which the write has locked, is in fulfillment (lifecycles.md 4.2 and 4.3). */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { Command } from '../engine/write/commands.ts'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'

/** `relationship` leads to the order, and is where the violation points. */
export const whileInProgress =
  (relationship: string, message: string) =>
  (trigger: `_${string}`, run: Command['run']): Command => {
    const violation: WriteViolation = { at: { relationship }, error: 'not_in_progress', message }
    return {
      trigger,
      run: async (context) =>
        context.step.locked?.['fulfillment_status'] === 'in_progress'
          ? run(context)
          : { violations: [violation] },
    }
  }

/** Documents are locked before stock: the order that `order` selects, SQL of $1, the environment, and $2, a number. */
export const lockOrderOf = async (
  order: string,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<Row | undefined> => {
  const text = `SELECT * FROM orders WHERE environment_id = $1 AND id = (${order}) FOR NO KEY UPDATE`
  const [found] = await run({ text, values: [scope.environmentId, number] })
  return found
}

const PARENTS = [
  {
    relationship: 'shipment',
    column: 'shipment_id',
    parent: `SELECT order_id, coalesce(shipped_at, cancelled_at) IS NOT NULL AS is_ended
      FROM shipments WHERE environment_id = $1 AND id = $2`,
  },
  {
    relationship: 'line_item',
    column: 'line_item_id',
    parent: 'SELECT order_id, false AS is_ended FROM line_items WHERE environment_id = $1 AND id = $2',
  },
] as const
type Parent = (typeof PARENTS)[number]

const OF_TWO_ORDERS: WriteViolation = {
  at: { relationship: 'line_item' },
  error: 'invalid',
  message: 'must be of the order of the shipment',
}

/**
 * Refuses what is newly linked to a shipment or a line of an order that is not in fulfillment, to a shipment that ended, or to a
 * shipment and a line of two orders. An import stores it as it was.
 */
export const linkedWhileInProgress = async (
  after: Row,
  before: Row | undefined,
  step: WorkflowStep,
): Promise<Completion> => {
  const isNew = ({ column }: Parent): boolean => after[column] !== before?.[column]
  if (step.isImport || !PARENTS.some(isNew)) return {}
  if (await isOfTwoOrders(after, step)) return { violations: [OF_TWO_ORDERS] }
  const violations: WriteViolation[] = []
  for (const { relationship, column, parent } of PARENTS.filter(isNew)) {
    const number = after[column]
    if (typeof number !== 'number') continue
    const message = await problemOf(parent, number, step)
    if (message !== undefined) violations.push({ at: { relationship }, error: 'not_editable', message })
  }
  return { violations }
}

/** The order of neither ever changes. */
const isOfTwoOrders = async (
  { shipment_id: shipment, line_item_id: line }: Row,
  { run, scope }: WorkflowStep,
): Promise<boolean> => {
  if (typeof shipment !== 'number' || typeof line !== 'number') return false
  const text = `SELECT 1 FROM shipments JOIN line_items
      ON line_items.environment_id = $1 AND line_items.order_id IS DISTINCT FROM shipments.order_id
    WHERE shipments.environment_id = $1 AND shipments.id = $2 AND line_items.id = $3`
  const [found] = await run({ text, values: [scope.environmentId, shipment, line] })
  return found !== undefined
}

const problemOf = async (parent: string, number: number, step: WorkflowStep): Promise<string | undefined> => {
  const order = await lockOrderOf(`SELECT order_id FROM (${parent}) AS parent`, number, step)
  const { fulfillment_status: status } = order === undefined ? {} : rowOf('Order', order)
  if (status === undefined) return undefined
  if (status !== 'in_progress')
    return `can be sent while the fulfillment of its order is in_progress; it is ${status}`
  // As it is now that nobody else changes the order.
  const values = [step.scope.environmentId, number]
  const [found] = await step.run<{ readonly is_ended: boolean }>({ text: parent, values })
  return found?.is_ended === true ? 'must not be shipped or cancelled' : undefined
}
