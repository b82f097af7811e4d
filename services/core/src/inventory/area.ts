import type { Area, VirtualRelationship } from '../engine/area.ts'
import { inventoryIndex } from './indexed-types.ts'
import { inventoryModels } from './inventory-models.ts'
import { inventoryStockLocations } from './inventory-stock-locations.ts'
import { skuInventory } from './sku-inventory.ts'
import { stockItems } from './stock-items.ts'
import { stockLocations } from './stock-locations.ts'
import { stockItemVisibility, stockLocationVisibility } from './visibility.ts'

/** The stock locations that count for the token's markets; the owner row does not matter. */
const stockLocationsOfToken: VirtualRelationship = ({ target }, { params, scope }) => {
  const numbers = (scope.markets ?? []).flatMap(({ stockLocationIds }) => stockLocationIds)
  return [`${target}.id = ANY(${params.add(numbers, 'bigint[]')})`]
}

export const inventory: Area = {
  resources: [stockLocations, stockItems, inventoryModels, inventoryStockLocations],
  visibility: { stock_items: stockItemVisibility, stock_locations: stockLocationVisibility },
  indexed: inventoryIndex,
  virtualRelationships: { stock_locations_of_token: stockLocationsOfToken },
  attributeLoaders: { sku_inventory: skuInventory },
  cacheable: ['stock_items', 'stock_locations'],
}
