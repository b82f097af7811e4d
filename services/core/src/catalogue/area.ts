import type { Area } from '../engine/area.ts'
import { catalogueIndex } from './indexed-types.ts'
import { priceLists } from './price-lists.ts'
import { prices } from './prices.ts'
import { skus } from './skus.ts'
import { priceVisibility, skuVisibility } from './visibility.ts'

export const catalogue: Area = {
  resources: [skus, prices, priceLists],
  visibility: { skus: skuVisibility, prices: priceVisibility },
  indexed: catalogueIndex,
  cachedLists: ['skus'],
  lowerIndexes: { skus: { code: 'prefix' } },
  topics: { skus: ['tagged'] },
  cacheable: ['skus', 'prices', 'price_lists'],
}
