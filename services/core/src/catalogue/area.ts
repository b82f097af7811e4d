import type { Area } from '../engine/area.ts'
import { priceLists } from './price-lists.ts'
import { prices } from './prices.ts'
import { skus } from './skus.ts'
import { priceVisibility, skuVisibility } from './visibility.ts'

export const catalogue: Area = {
  resources: [skus, prices, priceLists],
  visibility: { skus: skuVisibility, prices: priceVisibility },
  topics: { skus: ['tagged'] },
  cacheable: ['skus', 'prices', 'price_lists'],
}
