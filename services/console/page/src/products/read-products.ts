/**
 * SKUs with their prices and stock, a page of core's list at a time. Pages may be read in any order: core finds one by its
 * number, at any depth, within milliseconds by id and within a tenth of a second by code up to a million SKUs
 * (docs/reference/list-cost.md). Beyond that many, the order is that of ids.
 */
import { askCore } from '../data/api.ts'
import { escaped } from '../records/find-records.ts'
import type { CoreRecord } from '../records/types.ts'
import { KEPT, type ValueType } from './columns.ts'
import type { ProductSearch } from './product-search.ts'

export const PAGE_SIZE = 25
export const IN_ORDER_MAX = 1_000_000

/** A price or a quantity, and the record that has it. */
export interface Value {
  readonly id: string
  readonly value: number
}

export interface Product {
  readonly id: string
  readonly code: string
  readonly name: string
  /** By the keys of columns. */
  readonly values: Readonly<Record<string, Value>>
}

export interface ProductPage {
  readonly products: readonly Product[]
  readonly count: number
}

export type ValueTypes = readonly ValueType[]

interface Linked {
  readonly data?: { readonly id: string } | null
}

export interface SkuDocument<Data> {
  readonly data: Data
  readonly included?: readonly CoreRecord[]
  readonly meta?: { readonly record_count: number }
}

const identifiersOf = (sku: CoreRecord, type: ValueType): readonly string[] => {
  const { data = [] } = (sku.relationships?.[type] ?? {}) as {
    readonly data?: readonly { readonly id: string }[]
  }
  return data.map(({ id }) => id)
}

/** Every price and quantity of a SKU that was included with it. */
export const valuesOf = (
  sku: CoreRecord,
  types: ValueTypes,
  included: ReadonlyMap<string, CoreRecord>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    types.flatMap((type) =>
      identifiersOf(sku, type).flatMap((id) => {
        const record = included.get(`${type} ${id}`)
        const owner = (record?.relationships?.[KEPT[type].owner] as Linked | undefined)?.data?.id
        const value = record?.attributes[KEPT[type].attribute]
        return owner === undefined || typeof value !== 'number' ? [] : [[`${type}:${owner}`, { id, value }]]
      }),
    ),
  )

const textOf = ({ attributes }: CoreRecord, name: string): string => {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}

export const byIdentifier = (records: readonly CoreRecord[]): ReadonlyMap<string, CoreRecord> =>
  new Map(records.map((record) => [`${record.type} ${record.id}`, record]))

export const toProducts = (
  { data, included = [] }: SkuDocument<readonly CoreRecord[]>,
  types: ValueTypes,
): readonly Product[] => {
  const found = byIdentifier(included)
  return data.map((sku) => ({
    id: sku.id,
    code: textOf(sku, 'code'),
    name: textOf(sku, 'name'),
    values: valuesOf(sku, types, found),
  }))
}

/** What is included with a SKU, so that a page is one request. */
export const valueQuery = (types: ValueTypes): Readonly<Record<string, string>> =>
  types.length === 0
    ? {}
    : {
        include: types.map((type) => `${type}.${KEPT[type].owner}`).join(','),
        ...Object.fromEntries(
          types.flatMap((type) => [
            [`fields[${type}]`, `${KEPT[type].attribute},${KEPT[type].owner}`],
            [`fields[${KEPT[type].ownerType}]`, 'name'],
          ]),
        ),
      }

const filterOf = ({ text }: ProductSearch): Readonly<Record<string, string>> =>
  text === undefined ? {} : { 'filter[q][code_or_name_cont]': escaped(text) }

export interface ProductQuestion {
  readonly search: Pick<ProductSearch, 'text'>
  readonly types: ValueTypes
  readonly order: 'code' | 'id'
}

export const productQuery = ({ search, types, order }: ProductQuestion, page: number): URLSearchParams =>
  new URLSearchParams({
    ...filterOf(search),
    sort: order,
    'fields[skus]': ['code', 'name', ...types].join(','),
    ...valueQuery(types),
    'page[number]': String(page + 1),
    'page[size]': String(PAGE_SIZE),
  })

/** @param page from 0 @throws Refused */
export const readProducts = async (question: ProductQuestion, page: number): Promise<ProductPage> => {
  const document = await askCore<SkuDocument<readonly CoreRecord[]>>(
    `skus?${productQuery(question, page).toString()}`,
  )
  return { products: toProducts(document, question.types), count: document.meta?.record_count ?? 0 }
}

/** How many there are. @throws Refused */
export const countProducts = async (search: ProductQuestion['search']): Promise<number> => {
  const query = new URLSearchParams({ ...filterOf(search), 'fields[skus]': 'code', 'page[size]': '1' })
  const { meta } = await askCore<SkuDocument<readonly CoreRecord[]>>(`skus?${query.toString()}`)
  return meta?.record_count ?? 0
}
