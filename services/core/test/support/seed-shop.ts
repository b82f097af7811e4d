/**
 * Rows for tests: one organization with a shop in test mode, an empty one in live mode, and another organization whose
 * shop has the same codes. Row numbers are fixed, so that tests can name them.
 *
 *   market 1 "eu"   EUR, locations 1 and 2      sees SKUs A, B, D
 *   market 2 "us"   USD, location 2             sees SKUs B
 *   market 3 "old"  disabled, as eu
 *   market 4 "vip"  as eu, private
 *   store 1 of eu with location 3               sees also SKU C
 *   store 2 of eu without location
 */
import type { Pool } from 'pg'

export const ORGANIZATION = { id: 'enWoxFMOnp', slug: 'the-blue-brand' } as const
export const OTHER_ORGANIZATION = { id: 'oRgOtheRzz', slug: 'the-red-brand' } as const

export const ENVIRONMENTS = { test: 1, live: 2, other: 3 } as const

/** SKUs by number: what each has. */
export const SKUS = {
  /** Price in eu, stock in location 1. */
  A: 1,
  /** Price in eu and us, stock in location 2. */
  B: 2,
  /** Price in eu, stock in location 3 only: sellable only with store 1 in scope. */
  C: 3,
  /** Price in eu, stock item of quantity 0 in location 1: sellable, whatever the quantity. */
  D: 4,
  /** Stock everywhere, no price. */
  E: 5,
  /** Price in us, stock in location 1 only: nowhere sellable. */
  F: 6,
} as const

export const seedShop = async (pool: Pool): Promise<void> => {
  await pool.query(`INSERT INTO environments (id, organization_id, mode, slug, name) VALUES
    (1, 'enWoxFMOnp', 'test', 'the-blue-brand', 'The Blue Brand'),
    (2, 'enWoxFMOnp', 'live', 'the-blue-brand', 'The Blue Brand'),
    (3, 'oRgOtheRzz', 'test', 'the-red-brand', 'The Red Brand')`)
  await seedRows(pool)
}

/** Back to the rows of seedShop; environments stay. */
export const reseedShop = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'environment_id' AND table_type = 'BASE TABLE'`,
  )
  // In this role neither foreign keys nor triggers look at the deletes.
  const deletes = rows.map(({ table }) => `DELETE FROM ${table};`).join(' ')
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${deletes} COMMIT`)
  await seedRows(pool)
}

/** New rows are numbered from here on. */
const FIRST_FREE = 5000

const seedRows = async (pool: Pool): Promise<void> => {
  await seedBothShops(pool, seedStatements)
  await pool.query(
    `SELECT setval(pg_get_serial_sequence(quote_ident(table_name), column_name), $1, false)
     FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'`,
    [FIRST_FREE],
  )
}

/** Numbers of the other organization's shop are shifted: ids are of the whole table. */
export const OTHER_SHOP_SHIFT = 1000

/** Runs statements for each of the two shops: `#1` is the row number 1 of a shop, `$env` its environment. */
export const seedBothShops = async (pool: Pool, statements: string): Promise<void> => {
  for (const [environment, shift] of [
    [ENVIRONMENTS.test, 0],
    [ENVIRONMENTS.other, OTHER_SHOP_SHIFT],
  ] as const) {
    const text = statements
      .replaceAll(/#(\d+)/g, (_match, number: string) => String(Number(number) + shift))
      .replaceAll('$env', String(environment))
    await pool.query(text)
  }
}

const seedStatements = `
  INSERT INTO addresses (id, environment_id, first_name, last_name, line_1, city, country_code, phone) VALUES
    (#1, $env, 'Ada', 'Lovelace', 'Via Roma 1', 'Torino', 'IT', '+39 1'),
    (#2, $env, 'Grace', 'Hopper', '5th Avenue', 'New York', 'US', '+1 2');
  INSERT INTO merchants (id, environment_id, name, address_id) VALUES (#1, $env, 'Merchant', #1);
  INSERT INTO customer_groups (id, environment_id, name, code) VALUES (#1, $env, 'VIP', 'vip');
  INSERT INTO price_lists (id, environment_id, name, code, currency_code) VALUES
    (#1, $env, 'EU', 'eu', 'EUR'), (#2, $env, 'US', 'us', 'USD');
  INSERT INTO inventory_models (id, environment_id, name, strategy, stock_locations_cutoff) VALUES
    (#1, $env, 'EU', 'split_shipments', 2), (#2, $env, 'US', 'no_split', 1);
  INSERT INTO stock_locations (id, environment_id, number, name, code, address_id) VALUES
    (#1, $env, 1, 'Milano', 'milano', #1), (#2, $env, 2, 'New York', 'new-york', #2),
    (#3, $env, 3, 'Shop', 'shop', #1), (#4, $env, 4, 'Elsewhere', 'elsewhere', #1);
  INSERT INTO inventory_stock_locations (id, environment_id, priority, inventory_model_id, stock_location_id) VALUES
    (#1, $env, 1, #1, #1), (#2, $env, 2, #1, #2), (#3, $env, 1, #2, #2);
  INSERT INTO markets (id, environment_id, number, name, code, merchant_id, price_list_id, inventory_model_id,
    customer_group_id, disabled_at) VALUES
    (#1, $env, 1, 'Europe', 'eu', #1, #1, #1, NULL, NULL), (#2, $env, 2, 'America', 'us', #1, #2, #2, NULL, NULL),
    (#3, $env, 3, 'Old', 'old', #1, #1, #1, NULL, '2026-01-01'), (#4, $env, 4, 'VIP', 'vip', #1, #1, #1, #1, NULL);
  INSERT INTO stores (id, environment_id, name, code, market_id, merchant_id, stock_location_id) VALUES
    (#1, $env, 'Corso', 'corso', #1, #1, #3), (#2, $env, 'Piazza', 'piazza', #1, NULL, NULL);
  INSERT INTO shipping_categories (id, environment_id, name, code) VALUES
    (#1, $env, 'Merchandise', 'merch'), (#2, $env, 'Heavy', NULL);
  INSERT INTO skus (id, environment_id, code, name, description, weight, pieces_per_pack, do_not_track, shipping_category_id,
    reference, metadata, created_at) VALUES
    (#1, $env, 'SKU-A', 'Black shirt', 'A 100% cotton_shirt', 300.5, 1, false, #1, 'ref-1', '{"season":{"year":2026},"tags":["a","b"]}', '2026-01-01T00:00:00Z'),
    (#2, $env, 'SKU-B', 'White shirt', NULL, 300.5, 2, false, #1, 'ref-2', '{"season":{"year":2025}}', '2026-01-02T00:00:00Z'),
    (#3, $env, 'SKU-C', 'black TROUSERS', '', NULL, NULL, false, #1, NULL, '{}', '2026-01-03T12:30:00.250Z'),
    (#4, $env, 'SKU-D', 'Red hat', 'back\\slash', 0.1, 10, true, #2, NULL, '{}', '2026-01-04T00:00:00Z'),
    (#5, $env, 'SKU-E', 'Éclair', 'naïve', 12, NULL, false, #2, 'REF-5', '{"season":null}', '2026-01-05T00:00:00Z'),
    (#6, $env, 'SKU-F', 'Green hat', 'x', 1000, 3, false, #2, NULL, '{}', '2026-01-06T00:00:00Z');
  INSERT INTO prices (id, environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents, compare_at_amount_cents) VALUES
    (#1, $env, #1, 'SKU-A', #1, 'EUR', 5000, 6000), (#2, $env, #2, 'SKU-B', #1, 'EUR', 4000, NULL),
    (#3, $env, #3, 'SKU-C', #1, 'EUR', 9000, NULL), (#4, $env, #4, 'SKU-D', #1, 'EUR', 1500, 2000),
    (#5, $env, #2, 'SKU-B', #2, 'USD', 4500, NULL), (#6, $env, #6, 'SKU-F', #2, 'USD', 2500, NULL);
  INSERT INTO stock_items (id, environment_id, sku_id, sku_code, stock_location_id, quantity) VALUES
    (#1, $env, #1, 'SKU-A', #1, 7), (#2, $env, #2, 'SKU-B', #2, 3), (#3, $env, #3, 'SKU-C', #3, 5),
    (#4, $env, #4, 'SKU-D', #1, 0), (#5, $env, #5, 'SKU-E', #1, 1), (#6, $env, #5, 'SKU-E', #2, 1),
    (#7, $env, #6, 'SKU-F', #1, 9), (#8, $env, #1, 'SKU-A', #3, 2), (#9, $env, #1, 'SKU-A', #4, 4),
    (#10, $env, #2, 'SKU-B', #4, 6);
  INSERT INTO customers (id, environment_id, email, customer_group_id) VALUES
    (#1, $env, 'ada@example.com', NULL), (#2, $env, 'vip@example.com', #1);
  INSERT INTO payment_gateways (id, environment_id, type, name) VALUES (#1, $env, 'manual_gateways', 'Manual');
  INSERT INTO payment_methods (id, environment_id, name, payment_source_type, currency_code, price_amount_cents,
    payment_gateway_id, market_id, store_id, disabled_at) VALUES
    (#1, $env, 'Wire EU', 'wire_transfers', 'EUR', 0, #1, #1, NULL, NULL),
    (#2, $env, 'Wire US', 'wire_transfers', 'USD', 100, #1, #2, NULL, NULL),
    (#3, $env, 'At the counter', 'wire_transfers', 'EUR', 0, #1, #1, #1, NULL),
    (#4, $env, 'Anywhere in euro', 'wire_transfers', 'EUR', 0, #1, NULL, NULL, NULL),
    (#5, $env, 'Closed', 'wire_transfers', 'EUR', 0, #1, #1, NULL, '2026-01-01');
  INSERT INTO orders (id, environment_id, number, status, currency_code, market_id, store_id, customer_id, guest,
    total_amount_with_taxes_cents, shipping_address_id, payment_method_id) VALUES
    (#1, $env, '1', 'draft', 'EUR', #1, NULL, NULL, true, 1000, #1, #1),
    (#2, $env, '2', 'placed', 'EUR', #1, #1, #1, false, 123456, #1, #1),
    (#3, $env, '3', 'approved', 'EUR', #1, NULL, #1, false, 3000, NULL, NULL),
    (#4, $env, '4', 'placed', 'USD', #2, NULL, #2, false, 4000, #2, #2),
    (#5, $env, '5', 'approved', 'EUR', #1, NULL, NULL, true, 5000, NULL, NULL);
  INSERT INTO line_items (id, environment_id, order_id, item_type, item_id, sku_code, name, quantity, currency_code,
    unit_amount_cents, discount_cents) VALUES
    (#1, $env, #1, 'skus', #1, 'SKU-A', 'Black shirt', 2, 'EUR', 5000, -50),
    (#2, $env, #1, 'payment_methods', #1, NULL, 'Wire', 1, 'EUR', 0, 0),
    (#3, $env, #2, 'skus', #2, 'SKU-B', 'White shirt', 1, 'EUR', 4000, 0),
    (#4, $env, #3, 'skus', #1, 'SKU-A', 'Black shirt', 1, 'EUR', 5000, 0);
`
