/**
 * A transfer arrives: its units leave the origin and are at the destination. Those of a shipment belong to its order, so they
 * are promised there at once, or, when the order's stock was taken out already, taken out too. Nobody else can buy them.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import type { CommandOutcome } from '../engine/write/commands.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { lockStockItems, moveStock } from './move-stock.ts'
import { originItem, stockItemFor } from './origin-item.ts'
import { outOfStock } from './out-of-stock.ts'
import { release, reserve } from './reservations.ts'

export const completeTransfer = async (
  transfer: Row,
  number: number,
  step: WorkflowStep,
): Promise<CommandOutcome> => {
  const { quantity } = rowOf('StockTransfer', transfer)
  const origin = await originItem(transfer, step)
  const destination = await destinationItem(transfer, step)
  // Both in the order of their numbers, before either is moved.
  await lockStockItems([numberOf(destination), ...(origin === undefined ? [] : [numberOf(origin)])], step)
  const violations = await takeFromOrigin(transfer, number, origin, step)
  if (violations.length > 0) return { violations }
  if (typeof transfer['shipment_id'] === 'number')
    return { writes: await lineOfShipment(transfer, numberOf(destination), step) }
  await moveStock([{ stockItem: numberOf(destination), quantity }], step)
  return {}
}

/** What is not reserved any more, because somebody changed the reservation by hand, must still be there. */
const takeFromOrigin = async (
  transfer: Row,
  number: number,
  origin: Row | undefined,
  step: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  const ended = await release({ column: 'stock_transfer_id', numbers: [number] }, step, 'taken')
  const reserved = ended.reduce((sum, { quantity }) => sum + quantity, 0)
  const missing = rowOf('StockTransfer', transfer).quantity - reserved
  if (origin === undefined || missing === 0) return []
  const { shortages } = await moveStock([{ stockItem: numberOf(origin), quantity: -missing }], step)
  return outOfStock(shortages)
}

const destinationItem = (transfer: Row, step: WorkflowStep): Promise<Row> =>
  stockItemFor(transfer['destination_stock_location_id'], transfer, step)

/** The order was approved and its stock is taken out automatically: then these units are taken out as well. */
const isTakenOut = async ({ locked: order, run, scope }: WorkflowStep): Promise<boolean> => {
  if (order?.['status'] !== 'approved') return false
  const text = `SELECT models.manual_stock_decrement FROM markets JOIN inventory_models AS models
      ON models.environment_id = $1 AND models.id = markets.inventory_model_id
    WHERE markets.environment_id = $1 AND markets.id = $2`
  const [model] = await run({ text, values: [scope.environmentId, order['market_id']] })
  return model?.['manual_stock_decrement'] !== true
}

const lineOfShipment = async (
  transfer: Row,
  stockItem: number,
  step: WorkflowStep,
): Promise<readonly RowWrite[]> => {
  const { quantity } = rowOf('StockTransfer', transfer)
  const [reserved] = await step.run(reserveNumbers('stock_line_items', 1))
  const line = numberOf(reserved ?? {})
  const isOut = await isTakenOut(step)
  const write: RowWrite = {
    definition: step.registry.require('stock_line_items'),
    number: line,
    before: undefined,
    columns: {
      sku_id: transfer['sku_id'],
      sku_code: transfer['sku_code'],
      quantity,
      shipment_id: transfer['shipment_id'],
      line_item_id: transfer['line_item_id'] ?? null,
      stock_item_id: stockItem,
      decremented_at: isOut ? step.now : null,
    },
  }
  if (isOut) return [write]
  const lineItem = typeof transfer['line_item_id'] === 'number' ? transfer['line_item_id'] : null
  const order = step.locked === undefined ? null : numberOf(step.locked)
  const arrived = { stockItem, quantity, order, lineItem, stockLineItem: line, isArriving: true }
  const { writes } = await reserve([arrived], step)
  return [write, ...writes]
}
