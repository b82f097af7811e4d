import type { Area } from '../engine/area.ts'
import { ofMarketsInScope } from '../markets/of-markets-in-scope.ts'
import { catalogueIndex } from './indexed-types.ts'
import { optionsOfSku } from './options-of-sku.ts'
import { priceLists } from './price-lists.ts'
import { priceFrequencyTiers, priceTiers, priceVolumeTiers } from './price-tiers.ts'
import { prices } from './prices.ts'
import { skuOptions } from './sku-options.ts'
import { skus } from './skus.ts'
import { ofPriceVisibility, priceVisibility, skuVisibility } from './visibility.ts'

export const catalogue: Area = {
  resources: [skus, prices, priceLists, priceTiers, priceVolumeTiers, priceFrequencyTiers, skuOptions],
  visibility: {
    skus: skuVisibility,
    prices: priceVisibility,
    price_tiers: ofPriceVisibility,
    price_volume_tiers: ofPriceVisibility,
    price_frequency_tiers: ofPriceVisibility,
    sku_options: ofMarketsInScope,
  },
  indexed: catalogueIndex,
  cachedLists: ['skus'],
  lowerIndexes: { skus: { code: 'prefix' } },
  topics: {
    skus: ['tagged'],
    sku_options: ['tagged'],
    price_volume_tiers: ['create', 'destroy'],
    price_frequency_tiers: ['create', 'destroy'],
  },
  computedRelationships: { options_of_sku: optionsOfSku },
  cacheable: ['skus', 'prices', 'price_lists'],
}
