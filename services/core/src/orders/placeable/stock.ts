import { outOfStockOf } from '../../inventory/out-of-stock.ts'
import type { OrderedSku, PlaceableCheck } from './facts.ts'

const isShort = ({ isTracked, isStocked, quantity, available }: OrderedSku): boolean =>
  isTracked && isStocked && quantity > available

/** There is enough of every SKU. What is true here is made certain under a lock (stock/hold-stock.ts). */
export const stock: PlaceableCheck = ({ skus }) =>
  skus.filter(isShort).map(({ code, quantity, available }) => outOfStockOf(code, quantity, available))
