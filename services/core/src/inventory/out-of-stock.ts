import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import type { StockShortage } from './move-stock.ts'

/** More may be promised than a merchant counts, which leaves nothing. */
const unitsIn = (available: number): number => Math.max(0, available)

/** The violation of a caller who wants more than there is in stock. */
export const outOfStock = (
  shortages: readonly Pick<StockShortage, 'wanted' | 'available'>[],
  at: NonNullable<WriteViolation['at']> = { attribute: 'quantity' },
): readonly WriteViolation[] =>
  shortages.map(({ wanted, available }) => ({
    at,
    error: 'out_of_stock',
    message: 'is out of stock',
    value: wanted,
    count: unitsIn(available),
  }))

/** The same of one SKU among those of an order or a shipment. */
export const outOfStockOf = (
  code: string,
  quantity: number,
  available: number,
  relationship = 'line_items',
): WriteViolation => ({
  at: { relationship },
  error: 'out_of_stock',
  message: `has ${quantity} of ${code}, which is out of stock; available: ${unitsIn(available)}`,
  value: quantity,
  count: unitsIn(available),
})

/** Of each stock item that the lines want more of than there is. */
export const outOfStockAmong = (
  lines: readonly Pick<RowOf<'StockLineItem'>, 'stock_item_id' | 'sku_code'>[],
  shortages: readonly StockShortage[],
  relationship?: string,
): readonly WriteViolation[] =>
  shortages.map(({ stockItem, wanted, available }) => {
    const code = lines.find((line) => line.stock_item_id === stockItem)?.sku_code ?? ''
    return outOfStockOf(code, wanted, available, relationship)
  })
