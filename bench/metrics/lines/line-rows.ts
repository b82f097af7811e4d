/**
 * Order lines for the comparison of engines, made by one statement and written to files that each engine loads. Every value
 * follows from the number of the line and a fixed seed, so each run has the same rows.
 *
 * Three years of orders in the order in which they were placed, twice as many on the last day as on the first. Orders
 * have 1 to 5 lines, 3 on average; 5,000 SKUs of 12 categories and 40 brands, of which few make most of the sales; 8 markets, 25
 * countries, a customer for every twelve lines.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { openEngine } from '@merx/metrics/engine/clickhouse-engine'

/** The same rows twice: in the format that columnar engines load fastest, and in that of COPY. */
export interface LineFiles {
  readonly parquet: string
  readonly tsv: string
}

const FIRST_INSTANT = '2022-01-01 00:00:00.000'
const SPAN_SECONDS = 3 * 365 * 86_400
const SKUS = 5_000

const hash = (use: number, of: string): string => `sipHash64(${of}, ${use})`
/** 0 … below. */
const below = (use: number, limit: number, of: string): string => `toInt32(${hash(use, of)} % ${limit})`
/** 0 … below, the first ones often and the last ones seldom. */
const skewed = (use: number, limit: number, of: string, power = 2.5): string =>
  `toInt32(floor(pow(${hash(use, of)} % 1000003 / 1000003., ${power}) * ${limit}))`
const pick = (words: string, index: string): string => {
  const list = words.split(' ').map((word) => `'${word}'`)
  return `[${list.join(', ')}][${index} + 1]`
}

const MARKETS = 'Europe USA UK Japan Nordics Iberia DACH Outlet'
const CURRENCIES = 'EUR USD GBP JPY SEK EUR CHF EUR'
const COUNTRIES = 'IT US DE FR GB ES NL BE AT CH PL SE DK NO FI PT IE GR CZ HU RO BG HR SI JP'
const FITS = 'Slim Wide Short Long Light Warm Soft'
const MATERIALS = 'Cotton Linen Wool Denim Leather Silk Hemp Fleece Canvas Velvet Corduroy'
const CATEGORIES = 'Shirt Trousers Jacket Shoes Bag Scarf Dress Hat Socks Belt Coat Gloves'
const NAMES = 'anna ben carla dan eva finn gina hugo ida jon kira leo mia nils olga paul'

/** From the number of the line alone: its order, and its place there. Five orders have 1, 2, 3, 4 and 5 lines. */
const placesOf = (count: number): string => `SELECT
  toInt64(number + 1) AS line,
  number % 15 AS turn,
  toUInt8((turn >= 1) + (turn >= 3) + (turn >= 6) + (turn >= 10)) AS within,
  toInt64(intDiv(number, 15) * 5 + within + 1) AS ord,
  toInt32(turn - [0, 1, 3, 6, 10][within + 1] + 1) AS position
FROM numbers(${count})`

/** What several columns need. */
const factsOf = (count: number): string => `SELECT *,
  toDateTime64('${FIRST_INSTANT}', 3, 'UTC') + toIntervalSecond(toInt64(
    ${SPAN_SECONDS} * (sqrt(1 + 3 * (ord - 1) / (${count} / 3 + 1)) - 1) * 0.9999) + ${below(1, 3_600, 'ord')}) AS placed,
  ${pick('approved placed cancelled pending', `(toUInt8(${below(2, 100, 'ord')} >= 80) + toUInt8(${below(2, 100, 'ord')} >= 92) + toUInt8(${below(2, 100, 'ord')} >= 97))`)} AS state,
  state = 'approved' AND ${below(3, 10, 'ord')} > 0 AS shipped,
  ${skewed(4, 8, 'ord')} AS market_number,
  ${skewed(5, Math.ceil(count / 12), 'ord', 1.5)} + 1 AS customer,
  ${skewed(6, SKUS, 'line')} AS sku,
  sku % 12 AS category_number,
  1 + ${below(7, 3, 'line')} AS pieces,
  500 + ${below(8, 9_500, 'sku')} AS unit,
  if(${below(9, 6, 'line')} = 0, intDiv(unit * pieces, 10), 0) AS discount
FROM (${placesOf(count)})`

/** Columns of a line, in the order of the tables. */
const COLUMNS: Readonly<Record<string, string>> = {
  line_id: 'line',
  order_id: 'ord',
  position: 'position',
  placed_at: 'placed',
  market: pick(MARKETS, 'market_number'),
  currency: pick(CURRENCIES, 'market_number'),
  country: pick(COUNTRIES, skewed(10, 25, 'ord')),
  status: 'state',
  payment_status: `multiIf(state = 'placed', 'authorized', state = 'cancelled', 'voided', state = 'pending', 'unpaid',
    ${below(11, 100, 'ord')} < 4, 'refunded', 'paid')`,
  payment_method: pick('Adyen Stripe PayPal Wire', skewed(12, 4, 'ord')),
  coupon: `if(${below(13, 9, 'ord')} = 0, ${pick('SPRING WELCOME VIP SALE BIRTHDAY', skewed(14, 5, 'ord'))}, NULL)`,
  stock_location: pick('North South East', skewed(15, 3, 'ord')),
  seconds_to_ship: `if(shipped, 3600 + ${skewed(16, 400_000, 'ord')}, NULL)`,
  customer_id: 'toInt64(customer)',
  customer_email: `concat(${pick(NAMES, below(17, 16, 'customer'))}, '.', toString(customer), '@example.com')`,
  sku_code: `concat('SKU', leftPad(toString(sku), 6, '0'))`,
  sku_name: `concat(${pick(FITS, 'intDiv(sku, 12) % 7')}, ' ', ${pick(MATERIALS, 'sku % 11')}, ' ', ${pick(CATEGORIES, 'category_number')}, ' ', toString(sku))`,
  category: pick(CATEGORIES, 'category_number'),
  brand: `concat('Brand ', leftPad(toString(sku % 40), 2, '0'))`,
  quantity: 'pieces',
  unit_amount_cents: 'toInt32(unit)',
  discount_cents: 'toInt32(discount)',
  tax_cents: 'toInt32(intDiv((unit * pieces - discount) * 22, 100))',
  total_amount_cents: 'toInt32(unit * pieces - discount + intDiv((unit * pieces - discount) * 22, 100))',
  returned_quantity: `toInt32(shipped AND ${below(18, 1_000, 'line')} % (12 + category_number * 3) = 0)`,
}

/** The table in SQL that DuckDB and PostgreSQL share; its columns are those of the files. */
export const STANDARD_TABLE = `CREATE TABLE lines (
  line_id bigint NOT NULL, order_id bigint NOT NULL, position integer NOT NULL, placed_at timestamp NOT NULL,
  market text NOT NULL, currency text NOT NULL, country text NOT NULL,
  status text NOT NULL, payment_status text NOT NULL, payment_method text NOT NULL,
  coupon text, stock_location text NOT NULL, seconds_to_ship integer,
  customer_id bigint NOT NULL, customer_email text NOT NULL,
  sku_code text NOT NULL, sku_name text NOT NULL, category text NOT NULL, brand text NOT NULL,
  quantity integer NOT NULL, unit_amount_cents integer NOT NULL, discount_cents integer NOT NULL,
  tax_cents integer NOT NULL, total_amount_cents integer NOT NULL, returned_quantity integer NOT NULL)`

/** One thread, so that the rows of the files are in the order of their numbers. */
const SETTINGS = 'SETTINGS max_threads = 1, engine_file_truncate_on_insert = 1'

/** Writes `count` lines into files of this folder. */
export const writeLines = async (folder: string, count: number): Promise<LineFiles> => {
  mkdirSync(folder, { recursive: true })
  const files = { parquet: path.join(folder, 'lines.parquet'), tsv: path.join(folder, 'lines.tsv') }
  const values = Object.entries(COLUMNS).map(([name, value]) => `${value} AS \`${name}\``)
  const engine = openEngine({ path: path.join(folder, 'writer') })
  const write = (target: string, select: string): Promise<void> =>
    engine.execute({ text: `INSERT INTO FUNCTION file(${target}) ${select} ${SETTINGS}`, params: {} })
  try {
    await write(`'${files.parquet}', 'Parquet'`, `SELECT ${values.join(',\n')} FROM (${factsOf(count)})`)
    await write(`'${files.tsv}', 'TSV'`, `SELECT * FROM file('${files.parquet}', 'Parquet')`)
  } finally {
    await engine.close()
  }
  return files
}
