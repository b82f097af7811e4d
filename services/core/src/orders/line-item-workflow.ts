/** Writes of line items: the order is locked first, the price looked up, and the order settled after. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { sentNames } from '@merx/jsonapi/write-request'
import { createRowFinder } from '../engine/read/row-finder.ts'
import { selectRow } from '../engine/sql/write-statements.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { isOfDisabledMarket } from './enabled-market.ts'
import { priceLine } from './line-item-price.ts'
import { EDITABLE, IN_THE_MAKING } from './order-changes.ts'
import { lockOrder, settleOrder } from './totals/recalculate-order.ts'

export const lineItemWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('order') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('orders', identifier.id)
    if (number !== undefined) await lockOrder(number, step)
  },

  /** A line never changes its order, so the order can be found before anything is locked. */
  lockForChange: async (number, step) => {
    const [line] = await step.run(selectRow('line_items', step.scope.environmentId, number, false))
    if (typeof line?.['order_id'] === 'number') await lockOrder(line['order_id'], step)
  },

  /** `_update_quantity`: the article is in the order already, so there is more of it instead of a second line. */
  findExisting: async (columns, request, { run, scope }) => {
    if (!request.triggers.has('_update_quantity') || columns['item_type'] !== 'skus') return undefined
    const text = `SELECT * FROM line_items
      WHERE environment_id = $1 AND order_id = $2 AND sku_id = $3 ORDER BY id LIMIT 1 FOR UPDATE`
    const values = [scope.environmentId, columns['order_id'], columns['item_id']]
    const [before] = await run({ text, values })
    if (before === undefined) return undefined
    return { before, columns: { quantity: Number(before['quantity']) + Number(columns['quantity']) } }
  },

  completesFrom: [
    'order',
    'item',
    'sku_code',
    'bundle_code',
    'quantity',
    'unit_amount_cents',
    'compare_at_amount_cents',
    'frequency',
    '_external_price',
  ],

  complete: async (after, before, request, step) => {
    const isEmptied = after['unit_amount_cents'] === null
    const isNewItem = isEmptied || before?.['item_id'] !== after['item_id']
    const isSame = !isNewItem && before?.['quantity'] === after['quantity']
    if (after['item_type'] !== 'skus' || isSame) return {}
    const sent = sentNames(request)
    const hasAmount = sent.has('unit_amount_cents') && after['unit_amount_cents'] !== null
    const hasCompareAtAmount = sent.has('compare_at_amount_cents')
    return priceLine({ line: after, hasAmount, hasCompareAtAmount, isNewItem }, step)
  },

  /** Sales channels write lines while the order is in the making, nobody once it is placed or its market disabled. */
  refuseDelete: async (line, step) => {
    const [order] = await step.run(
      selectRow('orders', step.scope.environmentId, Number(line['order_id']), false),
    )
    const status = String(order?.['status'])
    if (isClosedTo(step, order, status)) throw new AppError('unauthorized')
    if (!EDITABLE.includes(status)) {
      const detail = `Cannot be deleted because its order is ${status}; it can be while the order is ${EDITABLE.join(', ')}`
      throw new AppError('locked', { detail })
    }
    const find = createRowFinder(step.registry, step.scope.environmentId, step.run)
    if (order === undefined || !(await isOfDisabledMarket(order, { find }))) return
    throw new AppError('locked', { detail: 'Cannot be deleted because the market of its order is disabled' })
  },

  settle: async ({ before, after, number }, _request, step) => {
    const changes = await settleOrder(Number((after ?? before)?.['order_id']), step)
    // The written line is logged as a whole by who wrote it.
    return changes.filter(
      ({ definition, number: other }) => definition.type !== 'line_items' || other !== number,
    )
  },
}

const isClosedTo = ({ scope }: WorkflowStep, order: Row | undefined, status: string): boolean => {
  if (scope.salesChannel === undefined) return false
  const { customerId } = scope.salesChannel
  const isOthers = customerId !== undefined && order?.['customer_id'] !== customerId
  return isOthers || !IN_THE_MAKING.includes(status)
}
