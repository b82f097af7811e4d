/** The columns of the products: a price for each price list, with the markets that use it, and a quantity for each location. */
import { askCore } from '../data/api.ts'
import { formatAmountOf, formatCount } from '../data/format.ts'
import type { CoreRecord } from '../records/types.ts'
import { parseAmount, parseQuantity, toAmountText, type ParsedNumber } from './number-text.ts'

/** What a value is kept in: one record for each SKU and price list, or SKU and location. */
export type ValueType = 'prices' | 'stock_items'

export interface Column {
  /** `prices:<price list>` or `stock_items:<location>`. */
  readonly key: string
  readonly type: ValueType
  readonly ownerId: string
  readonly name: string
  /** Below the name: markets and currency of a price list, nothing of a location. */
  readonly detail: string
  /** Of the amounts of a price list. */
  readonly currency?: string
}

/** Where a value is kept: the relationship to the column's record, and the attribute that is edited. */
export const KEPT = {
  prices: { owner: 'price_list', ownerType: 'price_lists', attribute: 'amount_cents' },
  stock_items: { owner: 'stock_location', ownerType: 'stock_locations', attribute: 'quantity' },
} as const satisfies Record<ValueType, object>

const SHOWN_OF_TYPE = 6

/** Those of the address, or the first of each type. */
export const shownColumns = (
  columns: readonly Column[],
  chosen: readonly string[] | undefined,
): readonly Column[] =>
  chosen === undefined
    ? (['prices', 'stock_items'] as const).flatMap((type) =>
        columns.filter((column) => column.type === type).slice(0, SHOWN_OF_TYPE),
      )
    : columns.filter(({ key }) => chosen.includes(key))

export const formatValue = ({ currency }: Column, value: number): string =>
  currency === undefined ? formatCount(value) : formatAmountOf(value, currency)

/** As somebody edits it. */
export const toText = ({ currency }: Column, value: number): string =>
  currency === undefined ? String(value) : toAmountText(value, currency)

export const parseText = ({ currency }: Column, text: string): ParsedNumber =>
  currency === undefined ? parseQuantity(text) : parseAmount(text, currency)

const PAGES_MAX = 4

/** At most a hundred: nobody compares more columns. */
const readSome = async (
  type: string,
  query: Readonly<Record<string, string>>,
  page = 1,
): Promise<readonly CoreRecord[]> => {
  const all = new URLSearchParams({
    sort: 'created_at',
    ...query,
    'page[size]': '25',
    'page[number]': String(page),
  })
  const { data, meta } = await askCore<{
    readonly data: readonly CoreRecord[]
    readonly meta: { readonly page_count: number }
  }>(`${type}?${all.toString()}`)
  return page < Math.min(meta.page_count, PAGES_MAX)
    ? [...data, ...(await readSome(type, query, page + 1))]
    : data
}

const textOf = ({ attributes }: CoreRecord, name: string): string => {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}

const marketsOf = (markets: readonly CoreRecord[], list: string): readonly string[] =>
  markets
    .filter(({ relationships }) => {
      const linkage = relationships?.['price_list'] as { readonly data?: { readonly id: string } | null }
      return linkage.data?.id === list
    })
    .map((market) => textOf(market, 'name'))

/** What the role may read. */
export interface Readable {
  readonly prices: boolean
  readonly stock: boolean
  readonly markets: boolean
}

/** @throws Refused */
export const readColumns = async (readable: Readable): Promise<readonly Column[]> => {
  const [lists, markets, locations] = await Promise.all([
    readable.prices ? readSome('price_lists', { 'fields[price_lists]': 'name,currency_code' }) : [],
    readable.prices && readable.markets
      ? readSome('markets', { 'fields[markets]': 'name,price_list', include: 'price_list' })
      : [],
    readable.stock ? readSome('stock_locations', { 'fields[stock_locations]': 'name' }) : [],
  ])
  return [
    ...lists.map((list): Column => {
      const currency = textOf(list, 'currency_code')
      return {
        ...{
          key: `prices:${list.id}`,
          type: 'prices',
          ownerId: list.id,
          name: textOf(list, 'name'),
          currency,
        },
        detail: [currency, ...marketsOf(markets, list.id)].join(', '),
      }
    }),
    ...locations.map((location): Column => ({
      ...{ key: `stock_items:${location.id}`, type: 'stock_items', ownerId: location.id, detail: '' },
      name: textOf(location, 'name'),
    })),
  ]
}
