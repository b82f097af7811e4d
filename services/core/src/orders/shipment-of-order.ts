/** Writes of shipments that change what their order costs: another shipping method recalculates the order. */
import { rowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { Consequences, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { offersOf } from '../shipping/available-methods.ts'
import { shipmentWorkflow } from '../shipping/shipment-workflow.ts'
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
    if (order === undefined || before === undefined || after === undefined) return own
    const { shipping_method_id: method } = rowOf('Shipment', after)
    const isOpen = EDITABLE.includes(rowOf('Order', order).status)
    if (!isOpen || method === before['shipping_method_id']) return own
    const cost = method === null ? undefined : await costWith(number, method, step)
    const lines = withShippingLine(order, await readLines(numberOf(order), step), number, cost)
    const result = await recalculateOrder(order, lines, step, { isRefresh: true, keepsShipments: true })
    return { ...own, writes: [...(own.writes ?? []), ...orderWrites(order, result, step.registry)] }
  },
}

/** What the shipment, as it is stored, costs with the method, which is one of its available ones. */
const costWith = async (shipment: number, method: number, step: WorkflowStep) => {
  const [offer] = await offersOf([shipment], step)
  const offered = offer?.methods.find((each) => each.method.id === method)
  return offered === undefined ? undefined : { name: offered.method.name, costCents: offered.costCents }
}
