/** The questions: as a request of the interface, as the best SQL for the engine, and as SQL for PostgreSQL. */
import { DAY_AFTER, ENVIRONMENT } from './order-rows.ts'

export interface Question {
  readonly name: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** A statement of the engine, or several in turn, with every value in place. */
  readonly byHand: readonly string[]
  /** The one by hand tells how many rows it would have without its LIMIT. */
  readonly isCountedByHand?: boolean
  readonly postgres: readonly string[]
  /** The date range shrinks as the shop grows, so that it holds as many orders. */
  readonly isSameCount: boolean
  /** How many times faster than PostgreSQL it is to be, by orders in the shop. */
  readonly isFasterThanPostgres: boolean
}

/** Of more orders a page by itself costs less than one that is counted at once. */
const COUNTED_WITH_PAGE = 2_500_000

interface Range {
  readonly from: Date
  readonly to: Date
}

const DAY_MS = 86_400_000
/** The size at which a range that holds the same number of orders has its full width. */
const FULL_RANGE_ORDERS = 1_000_000

const lastDays = (days: number): Range => ({
  from: new Date(DAY_AFTER.getTime() - days * DAY_MS),
  to: DAY_AFTER,
})

const toText = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')
const toOrder = ({ from, to }: Range) => ({
  date_from: `${from.toISOString().slice(0, 19)}Z`,
  date_to: `${to.toISOString().slice(0, 19)}Z`,
})

const STATUSES = ['placed', 'approved', 'cancelled', 'editing']
const { organizationId, mode } = ENVIRONMENT

const POPULATIONS = STATUSES.map((status) => `'${organizationId}/${mode}/${status}'`).join(', ')

const whereEngine = ({ from, to }: Range): string =>
  `indexHint(environment = '${organizationId}/${mode}') AND population IN (${POPULATIONS}) ` +
  `AND current_date >= toDateTime64('${toText(from)}', 3, 'UTC') AND current_date <= toDateTime64('${toText(to)}', 3, 'UTC')`

const wherePostgres = ({ from, to }: Range): string =>
  `o.organization_id = '${organizationId}' AND o.mode = '${mode}' AND o.status IN (${STATUSES.map((status) => `'${status}'`).join(', ')}) ` +
  `AND o.changed_at >= '${toText(from)}+00' AND o.changed_at <= '${toText(to)}+00'`

type Part = Omit<Question, 'isSameCount' | 'isFasterThanPostgres' | 'name'>

const monthSums = (range: Range): Part => ({
  path: 'orders/date_breakdown',
  body: {
    date_breakdown: {
      by: 'order.current_date',
      field: 'order.total_amount_with_taxes',
      operator: 'sum',
      interval: 'month',
    },
    filter: { order: toOrder(range) },
  },
  byHand: [
    `SELECT toStartOfMonth(current_date) AS month, sum(total_amount_with_taxes) FROM orders FINAL WHERE ${whereEngine(range)} GROUP BY month ORDER BY month`,
  ],
  postgres: [
    `SELECT date_trunc('month', o.changed_at) AS month, sum(o.total_amount_with_taxes) FROM orders o WHERE ${wherePostgres(range)} GROUP BY 1 ORDER BY 1`,
  ],
})

const topCountries = (range: Range): Part => ({
  path: 'orders/breakdown',
  body: {
    breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' },
    filter: { order: toOrder(range) },
  },
  byHand: [
    `SELECT country_code, count() AS n FROM orders FINAL WHERE ${whereEngine(range)} AND country_code IS NOT NULL GROUP BY country_code ORDER BY n DESC, country_code LIMIT 10`,
  ],
  postgres: [
    `SELECT o.country_code, count(*) AS n FROM orders o WHERE ${wherePostgres(range)} AND o.country_code IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
  ],
})

const topSkus = (range: Range): Part => ({
  path: 'orders/breakdown',
  body: {
    breakdown: { by: 'line_items.code', field: 'line_items.total_amount', operator: 'sum' },
    filter: { order: toOrder(range) },
  },
  byHand: [
    `SELECT code, sum(amount) AS s FROM (SELECT line_items.code AS codes, line_items.total_amount AS amounts FROM orders FINAL WHERE ${whereEngine(range)}) ARRAY JOIN codes AS code, amounts AS amount WHERE code IS NOT NULL GROUP BY code ORDER BY s DESC, code LIMIT 10`,
  ],
  postgres: [
    `SELECT l.code, sum(l.total_amount) AS s FROM orders o JOIN line_items l ON l.order_id = o.id WHERE ${wherePostgres(range)} AND l.code IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
  ],
})

/** By hand it is known how many orders there are, and how far back to look: `share` of them match. */
const newestDiscounted = (orders: number, range: Range, below: number, share: number): Part => {
  const spanMs = range.to.getTime() - range.from.getTime()
  const back = new Date(range.to.getTime() - Math.min(spanMs, Math.max(1, share * spanMs)))
  const listed = 'SELECT shown_id, number, line_items.discount, current_date FROM orders FINAL WHERE'
  const isDiscounted = `line_items_discount_least < ${below}`
  const one = `EXISTS (SELECT FROM line_items l WHERE l.order_id = o.id AND l.discount < ${below})`
  return {
    path: 'orders/search',
    body: {
      search: { fields: ['order.id', 'order.number', 'line_items.discount'], limit: 20 },
      filter: { order: toOrder(range), line_items: { discount: { lt: below } } },
    },
    ...(orders <= COUNTED_WITH_PAGE
      ? {
          byHand: [`${listed} ${isDiscounted} AND ${whereEngine(range)} ORDER BY current_date DESC LIMIT 21`],
          isCountedByHand: true,
        }
      : {
          byHand: [
            `SELECT count() FROM orders FINAL WHERE ${isDiscounted} AND ${whereEngine(range)}`,
            `${listed} ${isDiscounted} AND ${whereEngine({ from: back, to: range.to })} ORDER BY current_date DESC LIMIT 21`,
          ],
        }),
    postgres: [
      `SELECT count(*) FROM orders o WHERE ${wherePostgres(range)} AND ${one}`,
      `SELECT o.public_id, o.number, (SELECT array_agg(l.discount) FROM line_items l WHERE l.order_id = o.id) FROM orders o WHERE ${wherePostgres(range)} AND ${one} ORDER BY o.changed_at DESC, o.public_id DESC LIMIT 21`,
    ],
  }
}

const marketsAndSkus = (range: Range): Part => ({
  path: 'orders/breakdown',
  body: {
    breakdown: {
      by: 'market.name',
      field: 'order.id',
      operator: 'value_count',
      breakdown: { by: 'line_items.code', field: 'line_items.total_amount', operator: 'sum' },
    },
    filter: { order: toOrder(range) },
  },
  byHand: [
    `SELECT market_name, count() AS n FROM orders FINAL WHERE ${whereEngine(range)} GROUP BY market_name ORDER BY n DESC, market_name LIMIT 10`,
    `SELECT market_name, code, sum(amount) AS s FROM (SELECT market_name, line_items.code AS codes, line_items.total_amount AS amounts FROM orders FINAL WHERE ${whereEngine(range)}) ARRAY JOIN codes AS code, amounts AS amount WHERE code IS NOT NULL GROUP BY market_name, code ORDER BY market_name, s DESC, code LIMIT 10 BY market_name`,
  ],
  postgres: [
    `SELECT o.market_name, count(*) AS n FROM orders o WHERE ${wherePostgres(range)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
    `SELECT * FROM (SELECT o.market_name, l.code, sum(l.total_amount) AS s, row_number() OVER (PARTITION BY o.market_name ORDER BY sum(l.total_amount) DESC, l.code) AS place FROM orders o JOIN line_items l ON l.order_id = o.id WHERE ${wherePostgres(range)} AND l.code IS NOT NULL GROUP BY 1, 2) ranked WHERE place <= 10`,
  ],
})

const percentiles = (range: Range): Part => ({
  path: 'orders/stats',
  body: {
    stats: { field: 'order.seconds_in_approved', operator: 'percentiles' },
    filter: { order: toOrder(range) },
  },
  byHand: [
    `SELECT quantilesExactInclusive(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)(seconds_in_approved) FROM orders FINAL WHERE ${whereEngine(range)}`,
  ],
  postgres: [
    `SELECT percentile_cont(array[0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]) WITHIN GROUP (ORDER BY o.seconds_in_approved) FROM orders o WHERE ${wherePostgres(range)}`,
  ],
})

/** Where page 100 begins, as found by following the cursors. */
export interface PageStart {
  readonly cursor: string
  readonly at: Date
  readonly id: string
  /** Sort date of the last record of the page. */
  readonly lastAt: Date
}

export const LISTED = [
  'order.id',
  'order.number',
  'order.status',
  'order.country_code',
  'order.currency_code',
  'order.created_at',
  'order.placed_at',
  'order.approved_at',
  'order.total_amount_with_taxes',
  'market.name',
  'customer.email',
] as const

export const pageQuery = (cursor: string | null) => ({
  search: { fields: LISTED, limit: 100, cursor },
  filter: { order: toOrder(lastDays(3 * 365)) },
})

const page = ({ cursor, at, id, lastAt }: PageStart): Part => {
  const range = lastDays(3 * 365)
  const columns =
    'id, number, status, country_code, currency_code, created_at, placed_at, approved_at, total_amount_with_taxes, market_name, customer_email, current_date'
  const [atText, lastText] = [toText(at), toText(lastAt)]
  const listed = columns.replace(' current_date', ' changed_at').replace('id,', 'public_id,')
  return {
    path: 'orders/search',
    body: pageQuery(cursor),
    byHand: [
      `SELECT ${columns} FROM orders FINAL WHERE ${whereEngine({ from: lastAt, to: at })} AND (current_date < toDateTime64('${atText}', 3, 'UTC') OR id < '${id}') AND current_date >= toDateTime64('${lastText}', 3, 'UTC') ORDER BY current_date DESC, id DESC LIMIT 101`,
    ],
    postgres: [
      `SELECT ${listed} FROM orders o WHERE ${wherePostgres(range)} AND (o.changed_at, o.public_id) < ('${atText}+00', '${id}') ORDER BY o.changed_at DESC, o.public_id DESC LIMIT 101`,
    ],
  }
}

const DAY = lastDays(1)

/** One of each kind that costs next to nothing to answer. */
export const shortQuestions: readonly Pick<Question, 'path' | 'body'>[] = [
  monthSums(DAY),
  topCountries(DAY),
  topSkus(DAY),
  newestDiscounted(FULL_RANGE_ORDERS, DAY, -10, 1),
  marketsAndSkus(DAY),
  percentiles(DAY),
]

const YEAR = 365

/** All questions for a shop of so many orders. */
export const questionsFor = (orders: number, start: PageStart): readonly Question[] => {
  const shrink = FULL_RANGE_ORDERS / orders
  const all = lastDays(3 * YEAR)
  const rest = { isSameCount: false, isFasterThanPostgres: false }
  const fast = { ...rest, isFasterThanPostgres: true }
  const same = { ...rest, isSameCount: true }
  const tenth = newestDiscounted(orders, all, -10, 0.001)
  const rare = newestDiscounted(orders, all, -100, 0.5)
  const few = newestDiscounted(FULL_RANGE_ORDERS, lastDays(90 * shrink), -10, 0.02)
  return [
    { name: 'a: month sums, a year', ...monthSums(lastDays(YEAR)), ...fast },
    { name: 'b: top countries by count, all', ...topCountries(all), ...fast },
    { name: 'c: top SKUs by line total, 90 days', ...topSkus(lastDays(90)), ...fast },
    { name: 'd: newest 20 with a line discount, 1 in 10, all', ...tenth, ...rest },
    { name: 'd2: the same, 1 in 10,000, all', ...rare, ...rest },
    { name: 'e: markets × SKUs, a year', ...marketsAndSkus(lastDays(YEAR)), ...fast },
    { name: 'f: percentiles, all', ...percentiles(all), ...rest },
    { name: 'g: page 100 by cursor, all', ...page(start), ...rest },
    { name: 'a, range of as many orders', ...monthSums(lastDays(YEAR * shrink)), ...same },
    { name: 'c, range of as many orders', ...topSkus(lastDays(90 * shrink)), ...same },
    { name: 'd, range of as many orders', ...few, ...same },
    { name: 'e, range of as many orders', ...marketsAndSkus(lastDays(YEAR * shrink)), ...same },
  ]
}
