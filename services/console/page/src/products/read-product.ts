/** One SKU with everything its screen shows, in one request. */
import { askCore } from '../data/api.ts'
import type { CoreRecord } from '../records/types.ts'
import { KEPT, type ValueType } from './columns.ts'
import { byIdentifier, toProducts, type Product, type SkuDocument } from './read-products.ts'

export interface WholeProduct extends Product {
  readonly sku: CoreRecord
  readonly category: CoreRecord | undefined
  readonly options: readonly CoreRecord[]
  readonly tags: readonly CoreRecord[]
  /** Quantities that orders and transfers have reserved, by the ids of stock items. */
  readonly reserved: Readonly<Record<string, number>>
}

/** What the role may read besides the SKU itself. */
export interface ProductParts {
  readonly types: readonly ValueType[]
  readonly hasReserved: boolean
  readonly related: readonly string[]
}

interface Linkage {
  readonly data?:
    | { readonly type: string; readonly id: string }
    | readonly { readonly type: string; readonly id: string }[]
    | null
}

const includesOf = ({ types, hasReserved, related }: ProductParts): readonly string[] => [
  ...related,
  ...types.map((type) => `${type}.${KEPT[type].owner}`),
  ...(hasReserved ? ['stock_items.reserved_stock'] : []),
]

/** @throws Refused */
export const readProduct = async (id: string, parts: ProductParts): Promise<WholeProduct> => {
  const includes = includesOf(parts)
  const query =
    includes.length === 0 ? '' : `?${new URLSearchParams({ include: includes.join(',') }).toString()}`
  const { data: sku, included = [] } = await askCore<SkuDocument<CoreRecord>>(
    `skus/${encodeURIComponent(id)}${query}`,
  )
  const found = byIdentifier(included)
  const linked = (record: CoreRecord, name: string): readonly CoreRecord[] => {
    const { data = [] } = (record.relationships?.[name] ?? {}) as Linkage
    const identifiers = [data ?? []].flat() as readonly { readonly type: string; readonly id: string }[]
    return identifiers.flatMap((each) => found.get(`${each.type} ${each.id}`) ?? [])
  }
  const [product] = toProducts({ data: [sku], included }, parts.types)
  if (product === undefined) throw new Error('core answered without the SKU')
  return {
    ...product,
    sku,
    category: linked(sku, 'shipping_category')[0],
    options: linked(sku, 'sku_options'),
    tags: linked(sku, 'tags'),
    reserved: Object.fromEntries(
      linked(sku, 'stock_items').map((item) => [
        item.id,
        linked(item, 'reserved_stock').reduce(
          (sum, { attributes }) => sum + Number(attributes['quantity']),
          0,
        ),
      ]),
    ),
  }
}
