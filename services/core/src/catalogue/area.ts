import type { Area } from '../engine/area.ts'
import { ofMarketsInScope } from '../markets/of-markets-in-scope.ts'
import { catalogueIndex } from './indexed-types.ts'
import { optionsOfSku } from './options-of-sku.ts'
import { priceLists } from './price-lists.ts'
import { prices } from './prices.ts'
import { skuOptions } from './sku-options.ts'
import { skus } from './skus.ts'
import { priceVisibility, skuVisibility } from './visibility.ts'

export const catalogue: Area = {
  resources: [skus, prices, priceLists, skuOptions],
  visibility: { skus: skuVisibility, prices: priceVisibility, sku_options: ofMarketsInScope },
  indexed: catalogueIndex,
  cachedLists: ['skus'],
  lowerIndexes: { skus: { code: 'prefix' } },
  topics: { skus: ['tagged'], sku_options: ['tagged'] },
  computedRelationships: { options_of_sku: optionsOfSku },
  cacheable: ['skus', 'prices', 'price_lists'],
}
