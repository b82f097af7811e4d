import type { OrderedSku, PlaceableCheck } from './facts.ts'

const isShort = ({ isTracked, isStocked, quantity, available }: OrderedSku): boolean =>
  isTracked && isStocked && quantity > available

/** There is enough of every SKU. What is true here is made certain under a lock (stock/hold-stock.ts). */
export const stock: PlaceableCheck = ({ skus }) =>
  skus.filter(isShort).map(({ code, quantity, available }) => outOfStockOf(code, quantity, available))

/** What is reported of a SKU that there is not enough of. */
export const outOfStockOf = (code: string, quantity: number, available: number) => ({
  at: { relationship: 'line_items' },
  error: 'out_of_stock',
  message: `has ${quantity} of ${code}, which is out of stock; available: ${available}`,
  value: quantity,
  count: available,
})
