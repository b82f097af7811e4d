/** Writes of shipments that change what their order costs: with another shipping method, or without the shipment, it is recalculated. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { Consequences, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { shipmentCostOf } from '../shipping/external-cost.ts'
import { offerOfWritten, shipmentWorkflow } from '../shipping/shipment-workflow.ts'
import { readLines } from './order-lines.ts'
import { EDITABLE } from './order-states.ts'
import { withShippingLine } from './shipping-lines.ts'
import { orderWrites, recalculateOrder } from './totals/recalculate-order.ts'

export const shipmentOfOrderWorkflow: WriteWorkflow = {
  ...shipmentWorkflow,

  consequences: async (write, request, step): Promise<Consequences> => {
    const own = (await shipmentWorkflow.consequences?.(write, request, step)) ?? {}
    const { before, after, number } = write
    const order = step.locked
    if (order === undefined || before === undefined) return own
    const method = after === undefined ? null : rowOf('Shipment', after).shipping_method_id
    const isOpen = EDITABLE.includes(rowOf('Order', order).status)
    if (!isOpen || (after !== undefined && method === before['shipping_method_id'])) return own
    const [cost, stored] = await Promise.all([
      method === null ? undefined : costWith({ ...after, id: number }, method, order, step),
      readLines(numberOf(order), step),
    ])
    const lines = withShippingLine(order, stored, number, cost)
    const result = await recalculateOrder(order, lines, step, { isRefresh: true, keepsShipments: true })
    const count = after === undefined ? { shipments_count: rowOf('Order', order).shipments_count - 1 } : {}
    const recalculated = { ...result, set: { ...result.set, ...count } }
    const { earlier, writes } = orderWrites(order, recalculated, step.registry)
    return { ...own, set: { ...own.set, ...cost?.set }, earlier, writes: [...(own.writes ?? []), ...writes] }
  },
}

/** What the shipment, as it is stored, costs with the method, which is one of its available ones. */
const costWith = async (row: Row, method: number, order: Row, step: WorkflowStep) => {
  const offer = await offerOfWritten(numberOf(row), step)
  const offered = offer?.methods.find((each) => each.method.id === method)
  if (offer === undefined || offered === undefined) return undefined
  const charged = { row, isNew: false, facts: offer.shipment, contents: numberOf(row) }
  return { name: offered.method.name, ...(await shipmentCostOf(offered.method, charged, order, step)) }
}
