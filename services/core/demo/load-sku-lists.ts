/** Lists of SKUs of the demo: one by hand, one by a pattern. */
import { keyed } from './catalogue-target.ts'
import type { CatalogueTarget, Numbers } from './catalogue-target.ts'
import { copyRecords, numberOf } from './copy-records.ts'
import type { Product } from './products.ts'

const BEST_SELLERS = 12

/** `skus` are the row numbers by code; the pattern finds the family that the first product is of. */
export const loadSkuLists = async (
  target: CatalogueTarget,
  products: readonly Product[],
  skus: Numbers,
): Promise<void> => {
  const family = products[0]?.code.slice(0, 8) ?? ''
  const lists = await keyed(target)('sku_lists', [
    ['best', { name: 'Best sellers', slug: 'best-sellers', manual: true, sku_code_regex: null }],
    [
      'family',
      {
        name: `All of ${family}`,
        slug: `all-of-${family.toLowerCase()}`,
        manual: false,
        sku_code_regex: `^${family}`,
      },
    ],
  ])
  await copyRecords(
    target.client,
    'sku_list_items',
    target.environmentId,
    products.slice(0, BEST_SELLERS).map(({ code }, at) => ({
      sku_list_id: numberOf(lists, 'best'),
      sku_id: numberOf(skus, code),
      sku_code: code,
      position: at + 1,
      created_at: target.openedAt,
      updated_at: target.openedAt,
    })),
  )
}
