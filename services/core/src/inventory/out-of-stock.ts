import type { WriteFault } from '@merx/jsonapi/rules'
import type { StockShortage } from './move-stock.ts'

/** What a caller is told about stock that is not there. */
export const outOfStock = (
  shortages: readonly StockShortage[],
  at: NonNullable<WriteFault['at']> = { attribute: 'quantity' },
): readonly WriteFault[] =>
  shortages.map(({ wanted, available }) => ({
    at,
    error: 'out_of_stock',
    message: 'is out of stock',
    value: wanted,
    count: Math.max(0, available),
  }))
