/** Internal endpoint for auth: facts about the markets, stores and stock locations that a scope names. */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Database } from '../engine/database/database.ts'
import type { EnvironmentName, ScopeReference, ScopesRequest } from './request-schemas.ts'

export interface MarketFacts {
  readonly id: string
  readonly code: string | null
  readonly is_disabled: boolean
  readonly customer_group_id: string | null
  /** Of its inventory model, the primary first. */
  readonly stock_location_ids: readonly string[]
  readonly geocoder_id: string | null
  readonly allows_external_prices: boolean
}

export interface StoreFacts {
  readonly id: string
  readonly code: string | null
  readonly market_id: string
  readonly stock_location_id: string | null
}

export interface StockLocationFacts {
  readonly id: string
  readonly code: string | null
  /** The markets whose inventory model lists it. */
  readonly market_ids: readonly string[]
}

export interface ScopeFacts {
  /** As asked, with the id each was found under, or null. */
  readonly references: readonly (ScopeReference & { readonly id: string | null })[]
  /** The markets referred to, and those of the stores. */
  readonly markets: readonly MarketFacts[]
  readonly stores: readonly StoreFacts[]
  readonly stock_locations: readonly StockLocationFacts[]
}

const TABLES = { market: 'markets', store: 'stores', stock_location: 'stock_locations' } as const

/** Rows, and how they are named outside. */
export interface IdentifiedRows {
  readonly database: Database
  readonly ids: PublicIds
}

interface Found {
  readonly id: number
  readonly code: string | null
}

interface MarketRow extends Found {
  readonly is_disabled: boolean
  readonly customer_group_id: number | null
  readonly geocoder_id: number | null
  readonly stock_location_ids: readonly number[]
  readonly allows_external_prices: boolean
}

interface StoreRow extends Found {
  readonly market_id: number
  readonly stock_location_id: number | null
}

interface StockLocationRow extends Found {
  readonly market_ids: readonly number[]
}

/** An environment that core has not heard of has no markets, so nothing is found. */
export const resolveScopes = async (source: IdentifiedRows, request: ScopesRequest): Promise<ScopeFacts> => {
  const { ids } = source
  const stores = await find<StoreRow>(source, request, 'store', STORES)
  const markets = await find<MarketRow>(
    source,
    request,
    'market',
    MARKETS,
    stores.map(({ market_id }) => market_id),
  )
  const stockLocations = await find<StockLocationRow>(source, request, 'stock_location', STOCK_LOCATIONS)
  const found = { market: markets, store: stores, stock_location: stockLocations }
  return {
    references: request.references.map((reference) => ({
      ...reference,
      id: idOf(reference, found[reference.type], ids),
    })),
    markets: markets.map((row) => toMarketFacts(row, ids)),
    stores: stores.map((row) => ({
      id: ids.encode('stores', row.id),
      code: row.code,
      market_id: ids.encode('markets', row.market_id),
      stock_location_id:
        row.stock_location_id === null ? null : ids.encode('stock_locations', row.stock_location_id),
    })),
    stock_locations: stockLocations.map((row) => ({
      id: ids.encode('stock_locations', row.id),
      code: row.code,
      market_ids: row.market_ids.map((id) => ids.encode('markets', id)),
    })),
  }
}

const toMarketFacts = (row: MarketRow, ids: PublicIds): MarketFacts => ({
  id: ids.encode('markets', row.id),
  code: row.code,
  is_disabled: row.is_disabled,
  customer_group_id:
    row.customer_group_id === null ? null : ids.encode('customer_groups', row.customer_group_id),
  stock_location_ids: row.stock_location_ids.map((id) => ids.encode('stock_locations', id)),
  geocoder_id: row.geocoder_id === null ? null : ids.encode('geocoders', row.geocoder_id),
  allows_external_prices: row.allows_external_prices,
})

const idOf = (
  { type, by, value }: ScopeReference,
  found: readonly Found[],
  ids: PublicIds,
): string | null => {
  const table = TABLES[type]
  const number = by === 'id' ? ids.decode(table, value) : undefined
  const row = found.find(({ id, code }) => (by === 'id' ? id === number : code === value))
  return row === undefined ? null : ids.encode(table, row.id)
}

const find = async <R extends Found>(
  { database, ids }: IdentifiedRows,
  { organization_id, mode, references }: EnvironmentName & { readonly references: readonly ScopeReference[] },
  type: ScopeReference['type'],
  statement: string,
  besides: readonly number[] = [],
): Promise<readonly R[]> => {
  const wanted = references.filter((reference) => reference.type === type)
  const numbers = wanted.flatMap(({ by, value }) =>
    by === 'id' ? (ids.decode(TABLES[type], value) ?? []) : [],
  )
  const codes = wanted.flatMap(({ by, value }) => (by === 'code' ? [value] : []))
  if (numbers.length + codes.length + besides.length === 0) return []
  return database.query<R>(statement, [organization_id, mode, [...numbers, ...besides], codes])
}

const WANTED = (table: string): string =>
  `environments.organization_id = $1 AND environments.mode = $2
    AND (${table}.id = ANY ($3::bigint[]) OR ${table}.code = ANY ($4::text[]))
  ORDER BY ${table}.id`

const MARKETS = `
  SELECT markets.id, markets.code, markets.disabled_at IS NOT NULL AS is_disabled, markets.customer_group_id,
    markets.geocoder_id,
    markets.external_prices_url IS NOT NULL AS allows_external_prices,
    ARRAY (
      SELECT listed.stock_location_id FROM inventory_stock_locations AS listed
      WHERE listed.environment_id = markets.environment_id AND listed.inventory_model_id = markets.inventory_model_id
      ORDER BY listed.priority, listed.id
    ) AS stock_location_ids
  FROM environments JOIN markets ON markets.environment_id = environments.id
  WHERE ${WANTED('markets')}`

const STORES = `
  SELECT stores.id, stores.code, stores.market_id, stores.stock_location_id
  FROM environments JOIN stores ON stores.environment_id = environments.id
  WHERE ${WANTED('stores')}`

const STOCK_LOCATIONS = `
  SELECT stock_locations.id, stock_locations.code,
    ARRAY (
      SELECT markets.id FROM inventory_stock_locations AS listed
      JOIN markets ON markets.environment_id = listed.environment_id
        AND markets.inventory_model_id = listed.inventory_model_id
      WHERE listed.environment_id = stock_locations.environment_id AND listed.stock_location_id = stock_locations.id
      ORDER BY markets.id
    ) AS market_ids
  FROM environments JOIN stock_locations ON stock_locations.environment_id = environments.id
  WHERE ${WANTED('stock_locations')}`
