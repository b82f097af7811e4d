/** A shop of any size, made by PostgreSQL itself: what the lists that are measured are read from. */
import { Client } from 'pg'

export const ORGANIZATION = { id: 'enWoxFMOnp', slug: 'the-blue-brand' } as const
export const ENVIRONMENT = 1
export const PRICE_LISTS = 5
export const STOCK_LOCATIONS = 6

/** Each market has the price list of its number, and three stock locations: its own and the two after it. */
export const MARKETS = PRICE_LISTS

/** A market as the first one, with a sale on: a scheduler has put a list of one SKU in twenty in force. */
export const SWITCHED_MARKET = MARKETS + 1
const SALE_LIST = PRICE_LISTS + 1

/** Rows that everything else refers to. */
const SHOP = `
  INSERT INTO environments (id, organization_id, mode, slug, name)
    VALUES (1, '${ORGANIZATION.id}', 'test', '${ORGANIZATION.slug}', 'The Blue Brand');
  INSERT INTO addresses (id, environment_id, line_1, city, country_code, phone)
    VALUES (1, 1, 'Via Roma 1', 'Torino', 'IT', '+39 1');
  INSERT INTO merchants (id, environment_id, name, address_id) VALUES (1, 1, 'Merchant', 1);
  INSERT INTO shipping_categories (id, environment_id, name) VALUES (1, 1, 'Goods');
  INSERT INTO price_lists (id, environment_id, name, code, currency_code)
    SELECT n, 1, 'List ' || n, 'list-' || n, 'EUR' FROM generate_series(1, ${PRICE_LISTS}) AS n;
  INSERT INTO stock_locations (id, environment_id, name, code, address_id)
    SELECT n, 1, 'Location ' || n, 'location-' || n, 1 FROM generate_series(1, ${STOCK_LOCATIONS}) AS n;
  INSERT INTO inventory_models (id, environment_id, name)
    SELECT n, 1, 'Model ' || n FROM generate_series(1, ${MARKETS}) AS n;
  INSERT INTO inventory_stock_locations (environment_id, inventory_model_id, stock_location_id, priority)
    SELECT 1, m, 1 + (m + at - 2) % ${STOCK_LOCATIONS}, at
    FROM generate_series(1, ${MARKETS}) AS m, generate_series(1, 3) AS at;
  INSERT INTO markets (id, environment_id, name, code, merchant_id, price_list_id, inventory_model_id)
    SELECT n, 1, 'Market ' || n, 'market-' || n, 1, n, n FROM generate_series(1, ${MARKETS}) AS n;
  INSERT INTO price_lists (id, environment_id, name, code, currency_code) VALUES (${SALE_LIST}, 1, 'Sale', 'sale', 'EUR');
  INSERT INTO markets (id, environment_id, name, code, merchant_id, price_list_id, inventory_model_id)
    VALUES (${SWITCHED_MARKET}, 1, 'Switched', 'switched', 1, 1, 1);
  INSERT INTO price_list_schedulers (environment_id, name, market_id, price_list_id, starts_at, expires_at, status_changes_at)
    VALUES (1, 'Sale', ${SWITCHED_MARKET}, ${SALE_LIST}, now() - interval '1 minute', '2099-01-01', '2099-01-01');
  UPDATE markets SET price_list_id = ${SALE_LIST} WHERE id = ${SWITCHED_MARKET};`

/** Row after row a second later, as rows come that are not written all at once. */
const INSTANT = `'2025-01-01Z'::timestamptz + n * interval '1 second'`

/** Codes such as AB12-000123: a hundred SKUs have each of the starts of four characters for every 67,600 SKUs. */
const SKUS = `
  INSERT INTO skus (environment_id, id, code, name, description, image_url, pieces_per_pack, weight, unit_of_weight,
    hs_tariff_number, shipping_category_id, metadata, created_at)
  SELECT 1, n, chr((65 + n % 26)::integer) || chr((65 + n / 26 % 26)::integer) || lpad((n / 676 % 100)::text, 2, '0') || '-' || lpad(n::text, 8, '0'),
    'Article number ' || n, 'What article number ' || n || ' is made of, and what for.',
    'https://images.example.com/' || n || '.png', 1, 100 + n % 900, 'gr', '61091000', 1, '{"season":"winter"}',
    ${INSTANT}
  FROM generate_series($1::bigint, $2::bigint) AS n`

/** Nine of ten SKUs in each list. */
const PRICES = `
  INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents,
    original_amount_cents, compare_at_amount_cents, created_at)
  SELECT 1, id, code, list, 'EUR', 1000 + id % 9000, 1000 + id % 9000, 2000 + id % 9000, created_at
  FROM skus, generate_series(1, ${PRICE_LISTS}) AS list
  WHERE environment_id = 1 AND id BETWEEN $1::bigint AND $2::bigint AND (id * 7 + list) % 10 <> 0`

const SALE = `
  INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents, created_at)
  SELECT 1, id, code, ${SALE_LIST}, 'EUR', 500 + id % 4500, created_at
  FROM skus WHERE environment_id = 1 AND id BETWEEN $1::bigint AND $2::bigint AND id % 20 = 0`

/** In each location, the SKUs that it does not miss: one of six is nowhere. */
const STOCK = `
  INSERT INTO stock_items (environment_id, sku_id, sku_code, stock_location_id, quantity, created_at)
  SELECT 1, id, code, location, id % 100, created_at
  FROM skus, generate_series(1, ${STOCK_LOCATIONS}) AS location
  WHERE environment_id = 1 AND id BETWEEN $1::bigint AND $2::bigint AND id % 6 <> 0`

/** One for every number of a SKU. Orders hold nothing but what their lists show. */
const CUSTOMERS = `
  INSERT INTO customers (environment_id, email, created_at)
  SELECT 1, 'customer-' || n || '@example.com', ${INSTANT} FROM generate_series($1::bigint, $2::bigint) AS n`
const ADDRESSES = `
  INSERT INTO addresses (id, environment_id, first_name, last_name, line_1, city, country_code, phone, created_at)
  SELECT 1 + n, 1, 'Ada', 'Lovelace', 'Street ' || n, 'City ' || n % 1000, 'IT', '+39 1', ${INSTANT}
  FROM generate_series($1::bigint, $2::bigint) AS n`
const ORDERS = `
  INSERT INTO orders (id, environment_id, number, currency_code, market_id, created_at)
  SELECT n, 1, n::text, 'EUR', 1 + n % ${MARKETS}, ${INSTANT} FROM generate_series($1::bigint, $2::bigint) AS n`
const LINE_ITEMS = `
  INSERT INTO line_items (environment_id, order_id, quantity, currency_code, name, created_at)
  SELECT 1, n, 1, 'EUR', 'Line ' || n, ${INSTANT} FROM generate_series($1::bigint, $2::bigint) AS n`

const ROWS_PER_STATEMENT = 50_000

/**
 * Fills a migrated, empty database. Foreign keys are not looked at while it does, because all rows are right; the
 * triggers of the bitmap index work as always.
 */
export const fillShop = (databaseUrl: string, skus: number, say: (message: string) => void): Promise<void> =>
  fill(databaseUrl, async (client) => {
    await client.query(SHOP)
    await fillInParts(client, [SKUS, PRICES, SALE, STOCK], skus, say)
    await client.query(`SELECT setval(pg_get_serial_sequence('skus', 'id'), $1)`, [skus])
    await client.query(`SELECT setval(pg_get_serial_sequence('addresses', 'id'), 1)`)
  })

/** Customers, addresses, orders and line items for a filled shop, as many as it has SKUs. */
export const fillOrdering = (
  databaseUrl: string,
  skus: number,
  say: (message: string) => void,
): Promise<void> =>
  fill(databaseUrl, async (client) => {
    await fillInParts(client, [CUSTOMERS, ADDRESSES, ORDERS, LINE_ITEMS], skus, say)
    await client.query(`SELECT setval(pg_get_serial_sequence('orders', 'id'), $1)`, [skus])
    await client.query(`SELECT setval(pg_get_serial_sequence('addresses', 'id'), $1)`, [1 + skus])
  })

const fillInParts = async (
  client: Client,
  statements: readonly string[],
  skus: number,
  say: (message: string) => void,
): Promise<void> => {
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off')
  for (let first = 1; first <= skus; first += ROWS_PER_STATEMENT) {
    const range = [first, Math.min(skus, first + ROWS_PER_STATEMENT - 1)]
    for (const statement of statements) await client.query(statement, range)
    if (first > 1) say(`${first - 1} of ${skus} are there`)
  }
}

const fill = async (databaseUrl: string, act: (client: Client) => Promise<void>): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await act(client)
    for (let merged = 1; merged > 0;) {
      const { rows } = await client.query<{ count: string }>('SELECT kept.fold(5000) AS count')
      merged = Number(rows[0]?.count ?? 0)
    }
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
