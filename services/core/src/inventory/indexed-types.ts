/** The bitmap index of stock items: those of the stock locations that the markets in scope use. */
import type { ByName } from '../engine/area.ts'
import type { IndexedType } from '../engine/bitmap-index/indexed-types.ts'

export const inventoryIndex: ByName<IndexedType> = {
  stock_items: {
    visible: ({ markets }) =>
      markets === undefined
        ? { kind: 'all', set: 'stock_items' }
        : {
            kind: 'owned',
            set: 'stock_items_of_stock_location',
            owners: [...new Set(markets.flatMap(({ stockLocationIds }) => stockLocationIds))],
          },
    ownedBy: { relationship: 'stock_location', set: 'stock_items_of_stock_location' },
  },
}
