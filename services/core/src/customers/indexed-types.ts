/** The bitmap index of customers and addresses, for callers who see all of them: a sales channel sees its own. */
import type { IndexedTypes } from '../engine/bitmap-index/indexed-types.ts'

export const customersIndex: IndexedTypes = {
  customers: {
    visible: ({ salesChannel }) =>
      salesChannel === undefined ? { kind: 'all', set: 'customers' } : undefined,
  },
  addresses: {
    visible: ({ salesChannel }) =>
      salesChannel === undefined ? { kind: 'all', set: 'addresses' } : undefined,
  },
}
