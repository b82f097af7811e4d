import type { Area } from '../engine/area.ts'
import { ofMarketsInScope } from '../markets/of-markets-in-scope.ts'
import { bundleWorkflow } from './bundle-workflow.ts'
import { bundles } from './bundles.ts'
import { catalogueIndex } from './indexed-types.ts'
import { optionsOfSku } from './options-of-sku.ts'
import { priceListWorkflow } from './price-list-workflow.ts'
import { priceLists } from './price-lists.ts'
import { presentPrices } from './price-rules/present-prices.ts'
import { priceWorkflow } from './price-rules/price-rules-workflow.ts'
import { priceFrequencyTiers, priceTiers, priceVolumeTiers } from './price-tiers.ts'
import { prices } from './prices.ts'
import { skuListItems } from './sku-list-items.ts'
import { skuListItemWorkflow, skuListWorkflow } from './sku-list-workflow.ts'
import { skuLists } from './sku-lists.ts'
import { skuOptions } from './sku-options.ts'
import { listsOfSku, skusOfItsList, skusOfList, skusOfListInSql, skusOfOneList } from './skus-of-list.ts'
import { skus } from './skus.ts'
import {
  ofPriceVisibility,
  ofSkuListVisibility,
  priceVisibility,
  skuListVisibility,
  skuVisibility,
} from './visibility.ts'

export const catalogue: Area = {
  resources: [
    skus,
    prices,
    priceLists,
    priceTiers,
    priceVolumeTiers,
    priceFrequencyTiers,
    skuOptions,
    skuLists,
    skuListItems,
    bundles,
  ],
  visibility: {
    skus: skuVisibility,
    prices: priceVisibility,
    price_tiers: ofPriceVisibility,
    price_volume_tiers: ofPriceVisibility,
    price_frequency_tiers: ofPriceVisibility,
    sku_options: ofMarketsInScope,
    sku_lists: skuListVisibility,
    sku_list_items: ofSkuListVisibility,
    bundles: ofMarketsInScope,
  },
  workflows: {
    prices: priceWorkflow,
    price_lists: priceListWorkflow,
    sku_lists: skuListWorkflow,
    sku_list_items: skuListItemWorkflow,
    bundles: bundleWorkflow,
  },
  indexed: catalogueIndex,
  cachedLists: ['skus'],
  lowerIndexes: { skus: { code: 'prefix' } },
  topics: {
    skus: ['tagged'],
    bundles: ['tagged'],
    sku_options: ['tagged'],
    price_volume_tiers: ['create', 'destroy'],
    price_frequency_tiers: ['create', 'destroy'],
  },
  presentations: { prices: presentPrices },
  virtualRelationships: {
    lists_of_sku: listsOfSku,
    skus_of_list: skusOfListInSql,
    skus_of_its_list: skusOfItsList,
  },
  computedRelationships: { options_of_sku: optionsOfSku, skus_of_list: skusOfList },
  pagedRelationships: { skus_of_list: skusOfOneList },
  cacheable: ['skus', 'prices', 'price_lists', 'bundles'],
}
