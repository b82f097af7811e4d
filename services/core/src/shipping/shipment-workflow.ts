/** Writes of shipments: the order is locked first, a chosen method must be available, and stock is given back with the shipment. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { giveBack, releaseOf } from '../inventory/stock-of-lines.ts'
import { offersOf } from './available-methods.ts'

const lock = async (
  expression: string,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<Row | undefined> => {
  const text = `SELECT * FROM orders WHERE environment_id = $1 AND id = ${expression} FOR NO KEY UPDATE`
  const [order] = await run({ text, values: [scope.environmentId, number] })
  return order
}

export const linesOfShipment = (
  shipment: number,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly RowOf<'StockLineItem'>[]> =>
  run<RowOf<'StockLineItem'>>({
    text: 'SELECT * FROM stock_line_items WHERE environment_id = $1 AND shipment_id = $2 ORDER BY id',
    values: [scope.environmentId, shipment],
  })

export const shipmentWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('order') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('orders', identifier.id)
    return number === undefined ? undefined : lock('$2', number, step)
  },

  lockForChange: (number, step) =>
    lock('(SELECT order_id FROM shipments WHERE environment_id = $1 AND id = $2)', number, step),

  completesFrom: ['shipping_method'],

  complete: async (after, before, _request, step) => {
    const method = after['shipping_method_id'] ?? null
    if (before === undefined || method === null || method === before['shipping_method_id']) return {}
    const [offer] = await offersOf([numberOf(after)], step)
    if (offer?.methods.some((each) => each.method.id === method) === true) return {}
    const message = 'is not among the available shipping methods of the shipment'
    return { violations: [{ at: { relationship: 'shipping_method' }, error: 'unavailable', message }] }
  },

  consequences: async ({ number, after }, _request, step) => {
    if (after !== undefined) return {}
    const lines = await linesOfShipment(number, step)
    await releaseOf(lines, step)
    await giveBack(lines, step)
    return {}
  },
}
