/** What is reported of SKUs that there is not enough of. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { outOfStockOf } from '../../inventory/out-of-stock.ts'
import type { OrderStock } from './order-stock.ts'
import type { AllocatedStock } from './plan-stock.ts'

export const outOfStockIn = (
  { skus }: OrderStock,
  { shortages }: AllocatedStock,
): readonly WriteViolation[] =>
  shortages.map(({ sku, quantity, missing }) =>
    outOfStockOf(skus.get(sku)?.code ?? '', quantity, quantity - missing),
  )
