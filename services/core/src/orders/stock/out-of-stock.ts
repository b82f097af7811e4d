/** What is reported of SKUs that there is not enough of. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { OrderStock } from './order-stock.ts'
import type { AllocatedStock } from './plan-stock.ts'

export const outOfStockOf = (code: string, quantity: number, available: number) => ({
  at: { relationship: 'line_items' },
  error: 'out_of_stock',
  message: `has ${quantity} of ${code}, which is out of stock; available: ${available}`,
  value: quantity,
  count: available,
})

export const outOfStockIn = (
  { skus }: OrderStock,
  { shortages }: AllocatedStock,
): readonly WriteViolation[] =>
  shortages.map(({ sku, quantity, missing }) =>
    outOfStockOf(skus.get(sku)?.code ?? '', quantity, quantity - missing),
  )
