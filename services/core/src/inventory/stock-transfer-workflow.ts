/** Stock transfers: reserved at the origin from upcoming on, moved when completed, let go when cancelled. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Command, CommandContext } from '../engine/write/commands.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { transitionCommand } from '../states/transition-command.ts'
import { transition } from '../states/transition.ts'
import { completeTransfer } from './complete-transfer.ts'
import type { StockStep } from './move-stock.ts'
import { originItem } from './origin-item.ts'
import { outOfStock } from './out-of-stock.ts'
import { release, reserve } from './reservations.ts'
import type { WantedReservation } from './reservations.ts'
import { stockTransferStates, TRANSFER_ENDED } from './stock-transfer-states.ts'
import { linkedWhileInProgress, lockOrderOf } from './while-in-progress.ts'

const reservationOf = (transfer: Row, number: number, item: Row): WantedReservation => ({
  stockItem: numberOf(item),
  quantity: rowOf('StockTransfer', transfer).quantity,
  lineItem: rowOf('StockTransfer', transfer).line_item_id,
  stockTransfer: number,
})

const missing = {
  at: { relationship: 'origin_stock_location' },
  error: 'not_stocked',
  message: 'has no stock item of the SKU',
}

/** Reserves what a transfer needs at its origin, in place of what it had reserved. */
const reserveAtOrigin = async (transfer: Row, number: number, step: StockStep) => {
  const item = await originItem(transfer, step)
  if (item === undefined) return { violations: [missing] }
  await release({ column: 'stock_transfer_id', numbers: [number] }, step)
  const { shortages, writes } = await reserve([reservationOf(transfer, number, item)], step)
  return shortages.length > 0 ? { violations: outOfStock(shortages) } : { writes }
}

/** The writes of a draft whose order is placed: it is reserved at its origin and upcoming. */
export const announceTransfer = async (
  transfer: RowOf<'StockTransfer'>,
  step: StockStep & Pick<WorkflowStep, 'now'>,
): Promise<{ readonly violations: readonly WriteViolation[]; readonly writes: readonly RowWrite[] }> => {
  const start = { trigger: '_upcoming' }
  const moved = await transition(stockTransferStates, transfer, { start, subject: { now: step.now } })
  const reserved = await reserveAtOrigin(transfer, transfer.id, step)
  const { violations = [], writes = [] } = reserved
  const definition = step.registry.require('stock_transfers')
  const write: RowWrite = { definition, before: transfer, columns: moved.set, topics: moved.topics }
  return { violations: [...moved.violations, ...violations], writes: [write, ...writes] }
}

const isReserved = (status: unknown): boolean =>
  status !== 'draft' && !TRANSFER_ENDED.includes(String(status))

const ORDER_OF_TRANSFER = `SELECT order_id FROM shipments WHERE environment_id = $1
  AND id = (SELECT shipment_id FROM stock_transfers WHERE environment_id = $1 AND id = $2)`

export const stockTransferWorkflow: WriteWorkflow = {
  lockForChange: (number, step) => lockOrderOf(ORDER_OF_TRANSFER, number, step),

  completesFrom: ['shipment', 'line_item'],

  complete: (after, before, _request, step) => linkedWhileInProgress(after, before, step),

  consequences: async ({ number, before, after }, request, step) => {
    if (after === undefined) {
      await release({ column: 'stock_transfer_id', numbers: [number] }, step)
      return {}
    }
    if (before === undefined) return {}
    const hasNewQuantity = before['quantity'] !== after['quantity'] && isReserved(before['status'])
    if (!hasNewQuantity || request === undefined) return {}
    const { violations = [], writes = [] } = await reserveAtOrigin(after, number, step)
    const [first] = violations
    if (first !== undefined) throw toValidationError(first)
    return { writes }
  },
}

/** A transition that also moves stock; a repeated one moves nothing. */
const withStock = (
  trigger: `_${string}`,
  move: (context: CommandContext) => ReturnType<Command['run']>,
): Command => {
  const moved = transitionCommand(stockTransferStates, trigger, ({ step }) => ({ now: step.now }))
  return {
    trigger,
    run: async (context) => {
      const planned = await moved.run(context)
      if ((planned.violations ?? []).length > 0 || !('status' in (planned.set ?? {}))) return planned
      const { violations = [], writes = [] } = await move(context)
      if (violations.length > 0) return { violations }
      return { ...planned, writes: [...(planned.writes ?? []), ...writes] }
    },
  }
}

const plain = (trigger: `_${string}`): Command =>
  transitionCommand(stockTransferStates, trigger, ({ step }) => ({ now: step.now }))

/** Until an order is placed it makes and remakes its transfers, and nothing is reserved for them. */
const isCart = (order: Row | undefined): boolean =>
  order !== undefined && CART.includes(rowOf('Order', order).status)

const CART: readonly string[] = ['draft', 'pending', 'placing']

const planned: WriteViolation = {
  at: { attribute: '_upcoming' },
  error: 'not_placed',
  message: `cannot be sent while the order of its shipment is ${CART.join(' or ')}; placing the order sends it`,
}

export const stockTransferCommands: readonly Command[] = [
  withStock('_upcoming', ({ row, number, step }) =>
    isCart(step.locked) ? Promise.resolve({ violations: [planned] }) : reserveAtOrigin(row, number, step),
  ),
  plain('_on_hold'),
  plain('_picking'),
  plain('_in_transit'),
  withStock('_complete', ({ row, number, step }) => completeTransfer(row, number, step)),
  withStock('_cancel', async ({ number, step }) => {
    await release({ column: 'stock_transfer_id', numbers: [number] }, step)
    return {}
  }),
]
