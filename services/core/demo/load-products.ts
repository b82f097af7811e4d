/** The goods of the demo: SKUs, what they cost in each market, and how many there are at each stock location. */
import { picturePathOf } from '../src/catalogue/sku-picture.ts'
import { MARKETS, STOCK_LOCATIONS } from './blueprint.ts'
import { keyed } from './catalogue-target.ts'
import type { CatalogueTarget, Numbers } from './catalogue-target.ts'
import { copyRecords, numberOf } from './copy-records.ts'
import type { CopyRecord } from './copy-records.ts'
import { loadBundles } from './load-bundles.ts'
import { loadSkuLists } from './load-sku-lists.ts'
import { inMarket } from './market-prices.ts'
import { makeProducts } from './products.ts'
import type { Product } from './products.ts'

interface ProductReferences {
  readonly categories: Numbers
  readonly priceLists: Numbers
  readonly stockLocations: Numbers
}

export const loadProducts = async (target: CatalogueTarget, references: ProductReferences): Promise<void> => {
  const { random, skus, openedAt } = target
  const products = makeProducts(random.fork('products'), skus)
  const dates = { created_at: openedAt, updated_at: openedAt }
  const numbers = await keyed(target)(
    'skus',
    products.map((product) => [product.code, skuOf(product, references.categories)]),
  )
  const prices = MARKETS.flatMap((market) => {
    const draw = random.fork(`prices/${market.code}`)
    return products
      .filter(() => draw.chance(market.assortment))
      .map(({ code, amountCents }) => {
        const amount = inMarket(amountCents, market)
        return {
          price_list_id: numberOf(references.priceLists, market.code),
          currency_code: market.currency,
          sku_id: numberOf(numbers, code),
          sku_code: code,
          amount_cents: amount,
          original_amount_cents: amount,
          compare_at_amount_cents: draw.chance(0.3) ? inMarket(amountCents * 1.25, market) : null,
          ...dates,
        }
      })
  })
  await copyRecords(target.client, 'prices', target.environmentId, prices)
  const stock = STOCK_LOCATIONS.flatMap(({ code: location, assortment }) => {
    const draw = random.fork(`stock/${location}`)
    return products
      .filter(() => draw.chance(assortment))
      .map(({ code }) => ({
        stock_location_id: numberOf(references.stockLocations, location),
        sku_id: numberOf(numbers, code),
        sku_code: code,
        quantity: draw.chance(0.06) ? 0 : draw.between(1, 12) ** 2,
        ...dates,
      }))
  })
  await copyRecords(target.client, 'stock_items', target.environmentId, stock)
  await loadSkuLists(target, products, numbers)
  // Nothing is known yet of tables that had no row of this shop a moment ago, and bundles are found by joining them.
  await target.client.query('ANALYZE markets, inventory_stock_locations, skus, prices, stock_items')
  await loadBundles(target)
}

const skuOf = (product: Product, categories: Numbers): CopyRecord => ({
  code: product.code,
  name: product.name,
  description: product.description,
  image_url: picturePathOf(product.code),
  pieces_per_pack: 1,
  weight: product.weightGrams,
  unit_of_weight: 'gr',
  do_not_ship: product.category === 'digital',
  do_not_track: product.category === 'digital',
  shipping_category_id: numberOf(categories, product.category),
})
