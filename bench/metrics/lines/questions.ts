/**
 * Thirty questions that a shop has about its order lines. They are standard SQL that all three engines read; what
 * an engine writes in its own way is in its dialect. Nothing is tuned for a question. Amounts are whole cents, and each answer has one order.
 */

export const ENGINES = ['chdb', 'duckdb', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

interface Dialect {
  /** First day of its month. */
  readonly month: (instant: string) => string
  readonly day: (instant: string) => string
  /** 1, Monday, to 7. */
  readonly weekday: (instant: string) => string
  /** Interpolated between the two values next to it, as a list. */
  readonly percentiles: (value: string) => string
}

const SHARES = '0.5, 0.9, 0.99'

export const dialects: Readonly<Record<EngineName, Dialect>> = {
  chdb: {
    month: (instant) => `toStartOfMonth(${instant})`,
    day: (instant) => `toDate(${instant})`,
    weekday: (instant) => `toDayOfWeek(${instant})`,
    percentiles: (value) => `quantilesExactInclusive(${SHARES})(${value})`,
  },
  duckdb: {
    month: (instant) => `CAST(date_trunc('month', ${instant}) AS date)`,
    day: (instant) => `CAST(${instant} AS date)`,
    weekday: (instant) => `isodow(${instant})`,
    percentiles: (value) => `quantile_cont(${value}, [${SHARES}])`,
  },
  postgres: {
    month: (instant) => `CAST(date_trunc('month', ${instant}) AS date)`,
    day: (instant) => `CAST(${instant} AS date)`,
    weekday: (instant) => `extract(isodow FROM ${instant})`,
    percentiles: (value) => `percentile_cont(ARRAY[${SHARES}]) WITHIN GROUP (ORDER BY ${value})`,
  },
}

export interface Question {
  readonly name: string
  readonly sql: (dialect: Dialect) => string
}

const between = (from: string, to: string): string =>
  `placed_at >= '${from} 00:00:00' AND placed_at < '${to} 00:00:00'`
const YEAR = between('2024-01-01', '2025-01-01')
const QUARTER = between('2024-10-01', '2025-01-01')
const DAY = between('2024-11-29', '2024-11-30')
const SOLD = `status IN ('approved', 'placed')`
const REVENUE = 'sum(total_amount_cents) AS revenue'

const sums: readonly Question[] = [
  {
    name: 'lines, pieces and revenue in all',
    sql: () => `SELECT count(*) AS n, sum(quantity) AS pieces, ${REVENUE} FROM lines`,
  },
  {
    name: 'revenue by month, three years',
    sql: ({ month }) =>
      `SELECT ${month('placed_at')} AS month, ${REVENUE} FROM lines WHERE ${SOLD} GROUP BY month ORDER BY month`,
  },
  {
    name: 'revenue by day, a quarter',
    sql: ({ day }) =>
      `SELECT ${day('placed_at')} AS day, ${REVENUE} FROM lines WHERE ${SOLD} AND ${QUARTER} GROUP BY day ORDER BY day`,
  },
  {
    name: 'revenue by market, a year',
    sql: () =>
      `SELECT market, ${REVENUE} FROM lines WHERE ${SOLD} AND ${YEAR} GROUP BY market ORDER BY revenue DESC, market`,
  },
  {
    name: 'top 10 countries by revenue, a year',
    sql: () =>
      `SELECT country, ${REVENUE} FROM lines WHERE ${SOLD} AND ${YEAR} GROUP BY country ORDER BY revenue DESC, country LIMIT 10`,
  },
  {
    name: 'revenue by currency and way to pay, all',
    sql: () =>
      `SELECT currency, payment_method, ${REVENUE}, sum(tax_cents) AS tax FROM lines WHERE ${SOLD} GROUP BY currency, payment_method ORDER BY currency, payment_method`,
  },
  {
    name: 'revenue by market and month, all',
    sql: ({ month }) =>
      `SELECT market, ${month('placed_at')} AS month, ${REVENUE} FROM lines WHERE ${SOLD} GROUP BY market, month ORDER BY market, month`,
  },
  {
    name: 'growth month over month, three years',
    sql: ({ month }) =>
      `SELECT month, revenue, revenue - lag(revenue, 1, revenue) OVER (ORDER BY month) AS growth FROM (SELECT ${month('placed_at')} AS month, ${REVENUE} FROM lines WHERE ${SOLD} GROUP BY month) AS months ORDER BY month`,
  },
  {
    name: 'revenue so far, each day of a year',
    sql: ({ day }) =>
      `SELECT day, sum(revenue) OVER (ORDER BY day) AS so_far FROM (SELECT ${day('placed_at')} AS day, ${REVENUE} FROM lines WHERE ${SOLD} AND ${YEAR} GROUP BY day) AS days ORDER BY day`,
  },
]

const products: readonly Question[] = [
  {
    name: 'top 10 SKUs by revenue, a quarter',
    sql: () =>
      `SELECT sku_code, sku_name, ${REVENUE} FROM lines WHERE ${SOLD} AND ${QUARTER} GROUP BY sku_code, sku_name ORDER BY revenue DESC, sku_code LIMIT 10`,
  },
  {
    name: 'top 10 SKUs by pieces, all',
    sql: () =>
      `SELECT sku_code, sum(quantity) AS pieces FROM lines WHERE ${SOLD} GROUP BY sku_code ORDER BY pieces DESC, sku_code LIMIT 10`,
  },
  {
    name: 'top 3 SKUs of each market, a year',
    sql: () =>
      `SELECT market, place, sku_code, revenue FROM (SELECT market, sku_code, revenue, row_number() OVER (PARTITION BY market ORDER BY revenue DESC, sku_code) AS place FROM (SELECT market, sku_code, ${REVENUE} FROM lines WHERE ${SOLD} AND ${YEAR} GROUP BY market, sku_code) AS sums) AS places WHERE place <= 3 ORDER BY market, place`,
  },
  {
    name: 'categories × countries, top 20, all',
    sql: () =>
      `SELECT category, country, count(*) AS n, ${REVENUE} FROM lines WHERE ${SOLD} GROUP BY category, country ORDER BY revenue DESC, category, country LIMIT 20`,
  },
  {
    name: 'brands of one country, a year',
    sql: () =>
      `SELECT brand, ${REVENUE}, avg(unit_amount_cents) AS price FROM lines WHERE ${SOLD} AND country = 'DE' AND ${YEAR} GROUP BY brand ORDER BY revenue DESC, brand`,
  },
  {
    name: 'share of returns by category, all',
    sql: () =>
      `SELECT category, sum(returned_quantity) AS returned, CAST(sum(returned_quantity) AS double precision) / sum(quantity) AS share FROM lines WHERE status = 'approved' GROUP BY category ORDER BY category`,
  },
  {
    name: 'name contains a word, by category, all',
    sql: () =>
      `SELECT category, count(*) AS n, ${REVENUE} FROM lines WHERE sku_name ILIKE '%linen%' GROUP BY category ORDER BY revenue DESC, category`,
  },
  {
    name: 'SKUs that are bought together, a day',
    sql: () =>
      `WITH sold AS (SELECT DISTINCT order_id, sku_code FROM lines WHERE ${SOLD} AND ${DAY}) SELECT a.sku_code AS one, b.sku_code AS other, count(*) AS n FROM sold a JOIN sold b ON a.order_id = b.order_id WHERE a.sku_code < b.sku_code GROUP BY one, other ORDER BY n DESC, one, other LIMIT 10`,
  },
  {
    name: 'categories that are bought together, a quarter',
    sql: () =>
      `WITH sold AS (SELECT DISTINCT order_id, category FROM lines WHERE ${SOLD} AND ${QUARTER}) SELECT a.category AS one, b.category AS other, count(*) AS n FROM sold a JOIN sold b ON a.order_id = b.order_id WHERE a.category < b.category GROUP BY one, other ORDER BY n DESC, one, other LIMIT 10`,
  },
]

/** Value of each order. */
const valuesOf = (where: string): string =>
  `SELECT order_id, min(market) AS market, sum(total_amount_cents) AS total FROM lines WHERE ${where} GROUP BY order_id`

const orders: readonly Question[] = [
  {
    name: 'orders and buyers by market, a year',
    sql: () =>
      `SELECT market, count(DISTINCT order_id) AS orders, count(DISTINCT customer_id) AS buyers FROM lines WHERE ${SOLD} AND ${YEAR} GROUP BY market ORDER BY market`,
  },
  {
    name: 'buyers by month, all',
    sql: ({ month }) =>
      `SELECT ${month('placed_at')} AS month, count(DISTINCT customer_id) AS buyers FROM lines WHERE ${SOLD} GROUP BY month ORDER BY month`,
  },
  {
    name: 'percentiles of order value, a year',
    sql: ({ percentiles }) =>
      `SELECT count(*) AS n, ${percentiles('total')} AS shares FROM (${valuesOf(`${SOLD} AND ${YEAR}`)}) AS orders`,
  },
  {
    name: 'percentiles of order value by market, a quarter',
    sql: ({ percentiles }) =>
      `SELECT market, count(*) AS n, ${percentiles('total')} AS shares FROM (${valuesOf(`${SOLD} AND ${QUARTER}`)}) AS orders GROUP BY market ORDER BY market`,
  },
  {
    name: 'percentiles of the time to ship by stock location, all',
    sql: ({ percentiles }) =>
      `SELECT stock_location, ${percentiles('seconds_to_ship')} AS shares FROM lines WHERE seconds_to_ship IS NOT NULL AND position = 1 GROUP BY stock_location ORDER BY stock_location`,
  },
  {
    name: 'orders by their number of lines, all',
    sql: () =>
      `SELECT size, count(*) AS orders FROM (SELECT order_id, count(*) AS size FROM lines GROUP BY order_id) AS sizes GROUP BY size ORDER BY size`,
  },
  {
    name: 'orders by weekday and hour, all',
    sql: ({ weekday }) =>
      `SELECT ${weekday('placed_at')} AS weekday, extract(hour FROM placed_at) AS hour, count(*) AS orders FROM lines WHERE position = 1 GROUP BY weekday, hour ORDER BY weekday, hour`,
  },
  {
    name: 'coupons: orders and discount, a year',
    sql: () =>
      `SELECT coupon, count(DISTINCT order_id) AS orders, sum(discount_cents) AS discount FROM lines WHERE coupon IS NOT NULL AND ${YEAR} GROUP BY coupon ORDER BY coupon`,
  },
  {
    name: 'newest 20 cancelled orders over a value, all',
    sql: ({ day }) =>
      `SELECT order_id, ${day('max(placed_at)')} AS placed, sum(total_amount_cents) AS total FROM lines WHERE status = 'cancelled' GROUP BY order_id HAVING sum(total_amount_cents) > 50000 ORDER BY order_id DESC LIMIT 20`,
  },
]

const customers: readonly Question[] = [
  {
    name: 'top 20 customers by revenue, a year',
    sql: () =>
      `SELECT customer_id, customer_email, ${REVENUE} FROM lines WHERE ${SOLD} AND ${YEAR} GROUP BY customer_id, customer_email ORDER BY revenue DESC, customer_id LIMIT 20`,
  },
  {
    name: 'new customers by month, all',
    sql: ({ month }) =>
      `SELECT first_month, count(*) AS customers FROM (SELECT customer_id, ${month('min(placed_at)')} AS first_month FROM lines WHERE ${SOLD} GROUP BY customer_id) AS firsts GROUP BY first_month ORDER BY first_month`,
  },
  {
    name: 'all lines of one customer',
    sql: () =>
      `SELECT order_id, position, sku_code, quantity, total_amount_cents, status FROM lines WHERE customer_id = 1234 ORDER BY order_id, position`,
  },
]

export const questions: readonly Question[] = [...sums, ...products, ...orders, ...customers]
