/** Writes of shipments: the order is locked first, a chosen method must be available, and stock is given back with the shipment. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { release } from '../inventory/reservations.ts'
import { giveBack, releaseOf } from '../inventory/stock-of-lines.ts'
import { offersOf } from './available-methods.ts'
import type { Offer } from './available-methods.ts'
import { METHODS_OPEN } from './shipment-place.ts'

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

const offers = new WeakMap<WorkflowStep, Promise<Offer | undefined>>()

/** What the written shipment may be sent with, as it is stored: read once in a write, to check its method and to charge for it. */
export const offerOfWritten = (shipment: number, step: WorkflowStep): Promise<Offer | undefined> => {
  const known = offers.get(step)
  if (known !== undefined) return known
  const offer = offersOf([shipment], step).then(([first]) => first)
  offers.set(step, offer)
  return offer
}

/** Transfers go with their shipment, so what is reserved for them ends first. */
const releaseTransfers = async (shipment: number, step: WorkflowStep): Promise<void> => {
  const text = 'SELECT id FROM stock_transfers WHERE environment_id = $1 AND shipment_id = $2 ORDER BY id'
  const values = [step.scope.environmentId, shipment]
  const transfers = await step.run<Pick<RowOf<'StockTransfer'>, 'id'>>({ text, values })
  await release({ column: 'stock_transfer_id', numbers: transfers.map(({ id }) => id) }, step)
}

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
    const offer = await offerOfWritten(numberOf(after), step)
    if (offer?.methods.some((each) => each.method.id === method) === true) return {}
    const message = 'is not among the available shipping methods of the shipment'
    return { violations: [{ at: { relationship: 'shipping_method' }, error: 'unavailable', message }] }
  },

  /** What a placed order pays for stays in its amounts, so it stays with its shipment too. */
  refuseDelete: async (row, step) => {
    const status = rowOf('Order', step.locked ?? {}).status
    if (METHODS_OPEN.includes(status)) return
    const text = 'SELECT FROM line_items WHERE environment_id = $1 AND shipment_id = $2'
    const charged = await step.run({ text, values: [step.scope.environmentId, numberOf(row)] })
    if (charged.length === 0) return
    const detail = `The order, which is ${status}, is charged for this shipment, so it stays; _cancel ends it.`
    throw new AppError('locked', { detail })
  },

  consequences: async ({ number, after }, _request, step) => {
    if (after !== undefined) return {}
    await releaseTransfers(number, step)
    const lines = await linesOfShipment(number, step)
    await releaseOf(lines, step)
    await giveBack(lines, step)
    return {}
  },
}
