/** What a caller needs to know of a loaded demo environment: codes to scope with and customers to log in as. */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Pool } from 'pg'
import { MARKETS, STOCK_LOCATIONS, STORES } from './blueprint.ts'
import { DEMO_CLUB_CUSTOMER, DEMO_CUSTOMER, DEMO_PASSWORD } from './load-customers.ts'

/** All ids are public ids. */
export interface DemoEnvironment {
  readonly markets: readonly { readonly id: string; readonly code: string; readonly private: boolean }[]
  readonly stores: readonly { readonly id: string; readonly code: string; readonly market_id: string }[]
  readonly stock_locations: readonly {
    readonly id: string
    readonly code: string
    /** The markets that sell from it; empty for the floor of a shop. */
    readonly market_ids: readonly string[]
  }[]
  readonly customer: { readonly email: string; readonly password: string }
  readonly private_customer: {
    readonly email: string
    readonly password: string
    readonly market_code: string
  }
}

const codesOf = (blueprints: readonly { readonly code: string }[]): readonly string[] =>
  blueprints.map(({ code }) => code)

export const describeEnvironment = async (
  { pool, ids }: { readonly pool: Pool; readonly ids: PublicIds },
  environmentId: number,
): Promise<DemoEnvironment> => {
  const markets = await pool.query<{ id: number; code: string; private: boolean }>(
    `SELECT id, code, customer_group_id IS NOT NULL AS private FROM markets
     WHERE environment_id = $1 AND code = ANY ($2) ORDER BY id`,
    [environmentId, codesOf(MARKETS)],
  )
  const stores = await pool.query<{ id: number; code: string; market_id: number }>(
    'SELECT id, code, market_id FROM stores WHERE environment_id = $1 AND code = ANY ($2) ORDER BY id',
    [environmentId, codesOf(STORES)],
  )
  const locations = await pool.query<{ id: number; code: string; market_ids: readonly number[] }>(
    `SELECT id, code, ARRAY (
        SELECT markets.id FROM inventory_stock_locations AS listed
        JOIN markets ON markets.environment_id = listed.environment_id
          AND markets.inventory_model_id = listed.inventory_model_id
        WHERE listed.environment_id = stock_locations.environment_id AND listed.stock_location_id = stock_locations.id
        ORDER BY markets.id
      ) AS market_ids
     FROM stock_locations WHERE environment_id = $1 AND code = ANY ($2) ORDER BY id`,
    [environmentId, codesOf(STOCK_LOCATIONS)],
  )
  return {
    markets: markets.rows.map((row) => ({ ...row, id: ids.encode('markets', row.id) })),
    stores: stores.rows.map(({ id, code, market_id }) => ({
      id: ids.encode('stores', id),
      code,
      market_id: ids.encode('markets', market_id),
    })),
    stock_locations: locations.rows.map(({ id, code, market_ids }) => ({
      id: ids.encode('stock_locations', id),
      code,
      market_ids: market_ids.map((market) => ids.encode('markets', market)),
    })),
    customer: { email: DEMO_CUSTOMER, password: DEMO_PASSWORD },
    private_customer: {
      email: DEMO_CLUB_CUSTOMER,
      password: DEMO_PASSWORD,
      market_code: privateMarketCode(),
    },
  }
}

const privateMarketCode = (): string => {
  const market = MARKETS.find(({ customerGroup }) => customerGroup === 'CLUB')
  if (market === undefined) throw new Error('the demo has no private market')
  return market.code
}
