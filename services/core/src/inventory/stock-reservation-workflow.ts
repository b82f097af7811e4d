/** Writes of stock reservations by hand: each moves what is promised of its stock item in the same transaction. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { transitionCommand } from '../states/transition-command.ts'
import { lockStockItems, moveStock } from './move-stock.ts'
import { outOfStock } from './out-of-stock.ts'
import { DEFAULT_CUTOFF_SECONDS, expiryOf } from './reservation-expiry.ts'
import { stockReservationStates } from './stock-reservation-states.ts'

export const keepReservation = transitionCommand(stockReservationStates, '_pending', () => ({}))

const refuse = (violations: readonly WriteViolation[]): void => {
  const [first] = violations
  if (first !== undefined) throw toValidationError(first)
}

export const stockReservationWorkflow: WriteWorkflow = {
  /** The stock item first, as everybody else does (docs/adr/0078). */
  lockForChange: async (number, step) => {
    const text = 'SELECT stock_item_id FROM stock_reservations WHERE environment_id = $1 AND id = $2'
    const [found] = await step.run<Pick<RowOf<'StockReservation'>, 'stock_item_id'>>({
      text,
      values: [step.scope.environmentId, number],
    })
    const [item] = found === undefined ? [] : await lockStockItems([found.stock_item_id], step)
    return item
  },

  consequences: async ({ before, after }, _request, step) => {
    const { stock_item_id: item } = rowOf('StockReservation', after ?? before ?? {})
    const more = quantityOf(after) - quantityOf(before)
    const { shortages, items } = await moveStock([{ stockItem: item, reserved: more }], step)
    refuse(outOfStock(shortages))
    if (before !== undefined || after === undefined) return {}
    const its = items.get(item)
    return {
      set: {
        status: stockReservationStates.initial,
        expires_at: expiryOf(step.now, DEFAULT_CUTOFF_SECONDS),
        reserved_stock_id: its?.reservedStock,
        sku_id: its?.sku,
      },
    }
  },
}

const quantityOf = (row: Readonly<Record<string, unknown>> | undefined): number =>
  row === undefined ? 0 : rowOf('StockReservation', row).quantity
