/** The bitmap index of customers and addresses, for callers who see all of them: a sales channel sees its own. */
import type { ByName } from '../engine/area.ts'
import type { IndexedType } from '../engine/bitmap-index/indexed-types.ts'

export const customersIndex: ByName<IndexedType> = {
  customers: {
    visible: ({ salesChannel }) =>
      salesChannel === undefined ? { kind: 'all', set: 'customers' } : undefined,
  },
  addresses: {
    visible: ({ salesChannel }) =>
      salesChannel === undefined ? { kind: 'all', set: 'addresses' } : undefined,
  },
}
