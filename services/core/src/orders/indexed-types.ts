/** The bitmap index of orders and line items, for requests whose scope shows all of them. */
import type { RequestScope } from '../access/request-scope.ts'
import type { ByName } from '../engine/area.ts'
import type { IndexedType } from '../engine/bitmap-index/indexed-types.ts'

const isWhole = ({ markets, storeId, salesChannel }: RequestScope): boolean =>
  markets === undefined && storeId === undefined && salesChannel === undefined

export const ordersIndex: ByName<IndexedType> = {
  orders: { visible: (scope) => (isWhole(scope) ? { kind: 'all', set: 'orders' } : undefined) },
  line_items: { visible: (scope) => (isWhole(scope) ? { kind: 'all', set: 'line_items' } : undefined) },
}
