import type { WriteViolation } from '@merx/jsonapi/rules'
import type { StockShortage } from './move-stock.ts'

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
    count: Math.max(0, available),
  }))
