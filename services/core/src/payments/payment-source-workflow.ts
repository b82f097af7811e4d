/** Writes of payment sources: a new one becomes the source of its order, and the source of money that moved stays. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { lockOrder } from './lock-order.ts'
import { isBeingPaid } from './outside/in-flight.ts'
import { mismatchOf } from './payment-of-order.ts'
import { CANCEL_FIRST, isFreeToChange, SOURCES_OPEN } from './source-of-order.ts'

const violation = (error: string, message: string): WriteViolation => ({
  at: { relationship: 'order' },
  error,
  message,
})

/** Why the source of the order cannot become one of `type`. Undefined when it can. */
export const reasonAgainstSource = async (
  order: RowOf<'Order'>,
  type: string,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<WriteViolation | undefined> => {
  const { status, payment_status: payment, market_id, payment_method_id } = order
  if (!SOURCES_OPEN.includes(status))
    return violation('not_editable', `is ${status}; it is paid while it is ${SOURCES_OPEN.join(' or ')}`)
  if (!isFreeToChange(payment)) return violation('not_editable', `is ${payment}; ${CANCEL_FIRST}`)
  if (isBeingPaid(order)) return violation('not_editable', 'has a payment that is being processed')
  const [market] = await run<RowOf<'Market'>>(selectRow('markets', scope.environmentId, market_id, false))
  if ((market?.disabled_at ?? null) !== null) return violation('disabled', 'is of a market that is disabled')
  const [method] = await run<RowOf<'PaymentMethod'>>(
    selectRow('payment_methods', scope.environmentId, payment_method_id ?? 0, false),
  )
  if (method === undefined) return violation('blank', 'has no payment method; give it one first')
  const mismatch = mismatchOf(type, method)
  return mismatch === undefined ? undefined : { ...mismatch, at: { relationship: 'order' } }
}

/** Of a type whose rows name their gateway: that of the order's payment method. */
const gatewayOf = async (type: string, order: Row, { run, registry, scope }: WorkflowStep): Promise<Row> => {
  if (registry.require(type).relationships['payment_gateway'] === undefined) return {}
  const { payment_method_id } = rowOf('Order', order)
  const [method] = await run<RowOf<'PaymentMethod'>>(
    selectRow('payment_methods', scope.environmentId, payment_method_id ?? 0, false),
  )
  return { payment_gateway_id: method?.payment_gateway_id }
}

const sourceOf = (order: Row | undefined, type: string, number: number): boolean =>
  order?.['payment_source_type'] === type && order['payment_source_id'] === number

const hasMovedMoney = async (
  type: string,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<boolean> => {
  const text = `SELECT 1 FROM transactions
    WHERE environment_id = $1 AND payment_source_type = $2 AND payment_source_id = $3 LIMIT 1`
  const rows = await run({ text, values: [scope.environmentId, type, number] })
  return rows.length > 0
}

/** `type` is that of the source, whose table has the same name. */
export const paymentSourceWorkflow = (type: string): WriteWorkflow => ({
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('order') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('orders', identifier.id)
    return number === undefined ? undefined : lockOrder('$2', number, step)
  },

  lockForChange: (number, step) =>
    lockOrder(`(SELECT order_id FROM ${type} WHERE environment_id = $1 AND id = $2)`, number, step),

  completesFrom: ['order'],

  complete: async (after, before, _request, step) => {
    const number = after['order_id'] ?? null
    if (number === null || before?.['order_id'] === number) return {}
    const order = before === undefined ? step.locked : await lockOrder('$2', Number(number), step)
    if (order === undefined) return {}
    const reason = await reasonAgainstSource(rowOf('Order', order), type, step)
    if (reason !== undefined) return { violations: [reason] }
    if (before === undefined || !(await hasMovedMoney(type, numberOf(before), step)))
      return { set: await gatewayOf(type, order, step) }
    return { violations: [violation('not_editable', 'cannot be changed, because money was moved')] }
  },

  refuseDelete: async (row, step) => {
    const number = numberOf(row)
    if (await hasMovedMoney(type, number, step))
      throw new AppError('locked', { detail: 'Cannot be deleted because transactions refer to it' })
    const order = step.locked
    const { status = '' } = columnsOf('Order', order ?? {})
    if (sourceOf(order, type, number) && !SOURCES_OPEN.includes(status))
      throw new AppError('locked', { detail: `Cannot be deleted because its order is ${status}` })
  },

  consequences: async ({ number, before, after }, _request, step) => {
    const definition = step.registry.require('orders')
    const isMoved = before?.['order_id'] !== after?.['order_id']
    if (!isMoved) return {}
    const left = before === undefined ? undefined : step.locked
    const joined = after === undefined ? undefined : await orderOf(after, before, step)
    return {
      writes: [
        ...(left !== undefined && sourceOf(left, type, number)
          ? [{ definition, before: left, columns: { payment_source_type: null, payment_source_id: null } }]
          : []),
        ...(joined === undefined
          ? []
          : [
              {
                definition,
                before: joined,
                columns: { payment_source_type: type, payment_source_id: number },
              },
            ]),
      ],
    }
  },
})

const orderOf = async (after: Row, before: Row | undefined, step: WorkflowStep): Promise<Row | undefined> =>
  before === undefined ? step.locked : lockOrder('$2', rowOf('WireTransfer', after).order_id, step)
