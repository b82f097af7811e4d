/**
 * Which SKUs are sellable where, worked out the slow way from what an unscoped integration reads: the tests compare the
 * service's own narrowing with this.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessToken, everyRecord } from './connect.ts'
import { dataDir, type Mode } from './demo.ts'
import type { Linkage, ResourceObject } from './wire.ts'

const linked = (record: ResourceObject, name: string): readonly string[] => {
  const data = record.relationships?.[name]?.data
  if (data === undefined || data === null) return []
  return (Array.isArray(data) ? (data as readonly Linkage[]) : [data as Linkage]).map(({ id }) => id)
}

/** Ids one relationship of a record points to; it must have been included. */
export const linkedIds = linked

export interface Catalogue {
  readonly markets: readonly {
    readonly id: string
    readonly code: unknown
    readonly priceListId: string
    /** In the order of their priority. */
    readonly stockLocationIds: readonly string[]
    readonly strategy: string
    readonly stockLocationsCutoff: number
  }[]
  /** SKU id → price list ids it has a price in. */
  readonly priceLists: ReadonlyMap<string, ReadonlySet<string>>
  /** Price id → the price list it is in. */
  readonly priceListOf: ReadonlyMap<string, string>
  /** SKU id → stock location ids it has a stock item in. */
  readonly stockLocations: ReadonlyMap<string, ReadonlySet<string>>
  /** `<SKU id>/<stock location id>` → quantity of the stock item. */
  readonly quantities: ReadonlyMap<string, number>
  readonly skuIds: readonly string[]
}

const grouped = (pairs: readonly (readonly [string, string])[]) => {
  const sets = new Map<string, Set<string>>()
  for (const [key, value] of pairs) sets.set(key, (sets.get(key) ?? new Set()).add(value))
  return sets
}

const readMarkets = async (token: string): Promise<Catalogue['markets']> => {
  const { data, included } = await everyRecord('markets', {
    token,
    query: { include: 'price_list,inventory_model.inventory_stock_locations.stock_location' },
  })
  const records = new Map(included.map((record) => [`${record.type}/${record.id}`, record]))
  const require = (type: string, id = ''): ResourceObject => {
    const record = records.get(`${type}/${id}`)
    if (record === undefined) throw new Error(`${type}/${id} was not included`)
    return record
  }
  return data.map((market) => {
    const model = require('inventory_models', linked(market, 'inventory_model')[0])
    const joints = linked(model, 'inventory_stock_locations')
      .map((id) => require('inventory_stock_locations', id))
      .toSorted((a, b) => Number(a.attributes['priority']) - Number(b.attributes['priority']))
    return {
      id: market.id,
      code: market.attributes['code'],
      priceListId: linked(market, 'price_list')[0] ?? '',
      stockLocationIds: joints.flatMap((joint) => linked(joint, 'stock_location')),
      strategy: String(model.attributes['strategy']),
      stockLocationsCutoff: Number(model.attributes['stock_locations_cutoff']),
    }
  })
}

/** What is read, as plain rows. */
interface Rows {
  readonly markets: Catalogue['markets']
  readonly skuIds: readonly string[]
  readonly prices: readonly { readonly id: string; readonly skuId: string; readonly listId: string }[]
  readonly stock: readonly {
    readonly skuId: string
    readonly locationId: string
    readonly quantity: number
  }[]
}

const readRows = async (mode: Mode): Promise<Rows> => {
  const token = await accessToken('integration', { mode })
  const [markets, skus, prices, stockItems] = await Promise.all([
    readMarkets(token),
    everyRecord('skus', { token, query: { 'fields[skus]': 'code' } }),
    everyRecord('prices', {
      token,
      query: { include: 'sku,price_list', 'fields[prices]': 'sku,price_list' },
    }),
    everyRecord('stock_items', {
      token,
      query: { include: 'sku,stock_location', 'fields[stock_items]': 'quantity,sku,stock_location' },
    }),
  ])
  const one = (record: ResourceObject, name: string): string => linked(record, name)[0] ?? ''
  return {
    markets,
    skuIds: skus.data.map(({ id }) => id),
    prices: prices.data.map((price) => ({
      id: price.id,
      skuId: one(price, 'sku'),
      listId: one(price, 'price_list'),
    })),
    stock: stockItems.data.map((item) => ({
      skuId: one(item, 'sku'),
      locationId: one(item, 'stock_location'),
      quantity: Number(item.attributes['quantity']),
    })),
  }
}

/** Reading takes some hundred pages, so the rows are stored next to the data of the system under test. */
const keptRows = async (mode: Mode): Promise<Rows> => {
  const file = join(dataDir(), `e2e-catalogue-${mode}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Rows
  const rows = await readRows(mode)
  writeFileSync(`${file}.new`, JSON.stringify(rows))
  renameSync(`${file}.new`, file)
  return rows
}

/** The whole catalogue of the first organization. Tests change SKUs, prices and stock of the second one only. */
export const catalogueOf = async (mode: Mode = 'test'): Promise<Catalogue> => {
  const { markets, skuIds, prices, stock } = await keptRows(mode)
  return {
    markets,
    skuIds,
    priceLists: grouped(prices.map(({ skuId, listId }) => [skuId, listId])),
    priceListOf: new Map(prices.map(({ id, listId }) => [id, listId])),
    stockLocations: grouped(stock.map(({ skuId, locationId }) => [skuId, locationId])),
    quantities: new Map(stock.map(({ skuId, locationId, quantity }) => [`${skuId}/${locationId}`, quantity])),
  }
}

/** One market of a catalogue, by id. */
export const marketOf = (catalogue: Catalogue, id: string): Catalogue['markets'][number] => {
  const market = catalogue.markets.find((candidate) => candidate.id === id)
  if (market === undefined) throw new Error(`no market ${id}`)
  return market
}

/** SKUs with a price in the price list and a stock item in one of the locations, whatever the quantity; sorted. */
export const sellableSkus = (
  { skuIds, priceLists, stockLocations }: Catalogue,
  priceListId: string,
  stockLocationIds: readonly string[],
): readonly string[] =>
  skuIds
    .filter((id) => priceLists.get(id)?.has(priceListId) === true)
    .filter((id) => stockLocationIds.some((location) => stockLocations.get(id)?.has(location) === true))
    .toSorted()
