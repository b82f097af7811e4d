/** What writes of the parts of an order share, its lines and their options: the lock of the order, and who may delete. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../engine/database/rows.ts'
import { createRowFinder } from '../engine/read/row-finder.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { isOfDisabledMarket } from './enabled-market.ts'
import { EDITABLE, IN_THE_MAKING } from './order-states.ts'

/** Nobody else writes the order or its parts until the transaction ends. `number` is $2 of the expression. */
export const lockOrder = async (
  expression: string,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<Row | undefined> => {
  const text = `SELECT * FROM orders WHERE environment_id = $1 AND id = ${expression} FOR NO KEY UPDATE`
  const [order] = await run({ text, values: [scope.environmentId, number] })
  return order
}

/** Sales channels write parts while the order is in the making, nobody once it is placed or its market disabled. */
export const refuseDeleteOfPart = async (step: WorkflowStep): Promise<void> => {
  const order = step.locked
  const { status = '' } = columnsOf('Order', order ?? {})
  if (isClosedTo(step, order, status)) throw new AppError('unauthorized')
  if (!EDITABLE.includes(status)) {
    const detail = `Cannot be deleted because its order is ${status}; it can be while the order is ${EDITABLE.join(', ')}`
    throw new AppError('locked', { detail })
  }
  const find = createRowFinder(step.registry, step.scope.environmentId, step.run)
  if (order === undefined || !(await isOfDisabledMarket(order, { find }))) return
  throw new AppError('locked', { detail: 'Cannot be deleted because the market of its order is disabled' })
}

const isClosedTo = ({ scope }: WorkflowStep, order: Row | undefined, status: string): boolean => {
  if (scope.salesChannel === undefined) return false
  const { customerId } = scope.salesChannel
  const isOthers = customerId !== undefined && order?.['customer_id'] !== customerId
  return isOthers || !IN_THE_MAKING.includes(status)
}
