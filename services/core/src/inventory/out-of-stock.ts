import type { WriteViolation } from '@merx/jsonapi/rules'
import type { StockShortage } from './move-stock.ts'

/** What a caller is told about stock that is not there. */
export const outOfStock = (
  shortages: readonly Pick<StockShortage, 'wanted' | 'available'>[],
  at: NonNullable<WriteViolation['at']> = { attribute: 'quantity' },
): readonly WriteViolation[] =>
  shortages.map(({ wanted, available }) => ({
    at,
    error: 'out_of_stock',
    message: 'is out of stock',
    value: wanted,
    count: Math.max(0, available),
  }))
