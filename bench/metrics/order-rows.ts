/**
 * Rows of the orders table made by the engine itself: `INSERT … SELECT … FROM numbers()`, as ingest/order-row makes them
 * from documents. Every value follows from the number of the order and a fixed seed, so each fill is the same.
 *
 * Three years of orders, a few more each month, created in order; 3 line items an order on average, 2,000 SKUs of which
 * few make most of the sales; 25 countries, 8 markets. One order in ten has a line with a discount under -10, one in
 * 10,000 one under -100.
 */

/** The environment that is queried; next to it is another one, a twentieth of its size. */
export const ENVIRONMENT = { organizationId: 'orgAAAAAAA', mode: 'live' } as const

export const FIRST_DAY = '2022-01-01 00:00:00.000'
const SPAN_MS = 3 * 365 * 86_400_000
/** The first instant after the last order. */
export const DAY_AFTER = new Date(Date.parse(`${FIRST_DAY.replace(' ', 'T')}Z`) + SPAN_MS)
/** In which orders are created, as partitions of the table: the year and the number of the quarter. */
export const QUARTERS: readonly number[] = [2022, 2023, 2024].flatMap((year) =>
  [1, 2, 3, 4].map((quarter) => year * 10 + quarter),
)

/** A number of this row and of this use, the same in every fill; `and` makes it differ for each element. */
const hash = (use: number, and = '0'): string => `sipHash64(number, ${use}, ${and})`
/** 0 … below. */
const below = (use: number, limit: number, and = '0'): string => `toInt64(${hash(use, and)} % ${limit})`
/** 0 … 1. */
const share = (use: number, and = '0'): string => `(${hash(use, and)} % 1000003 / 1000003.)`
const pick = (values: readonly (string | null)[], index: string): string =>
  `[${values.map((value) => (value === null ? 'NULL' : `'${value}'`)).join(', ')}][${index} + 1]`
const cents = (sql: string): string => `(toDecimal64(${sql}, 4) / 100)`
/** Ten letters, as public ids are. */
const letters = (of: string): string =>
  `arrayStringConcat(arrayMap(at -> substring('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', toUInt32(intDiv(${of}, toUInt64(pow(52, at))) % 52) + 1, 1), range(10)))`

const COUNTRIES = 'IT US DE FR GB ES NL BE AT CH PL SE DK NO FI PT IE GR CZ HU RO BG HR SI JP'.split(' ')
const CITIES = ['Rome', 'New York', 'Berlin', 'Paris', 'London', 'Madrid', 'Amsterdam', 'Tokyo'] as const
const MARKETS = ['Europe', 'USA', 'UK', 'Japan', 'Nordics', 'Iberia', 'DACH', 'Outlet'] as const
const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY', 'SEK', 'EUR', 'CHF', 'EUR'] as const
const SKUS = 2_000

/** Few values often, many seldom. */
const skewed = (use: number, count: number, and = '0'): string =>
  `toInt64(floor(pow(${share(use, and)}, 2.5) * ${count}))`

const each = (sql: string): string => `arrayMap(i -> ${sql}, items)`

const isSku = `(${below(40, 100, 'i')} < 88)`
const code = `concat('SKU', leftPad(toString(sku), 6, '0'))`
const withSku = (sql: string): string => each(`arrayMap(sku -> ${sql}, [${skewed(41, SKUS, 'i')}])[1]`)

/** Nothing for most, up to 9 for some, 10 to 30 for one order in ten, 100 to 150 for one order in 10,000. */
const discount = `multiIf(
  i = 1 AND number % 10000 = 77, -10000 - ${below(50, 5000, 'i')},
  i = 1 AND ${below(51, 10)} = 0, -1001 - ${below(52, 2000, 'i')},
  ${below(53, 4, 'i')} = 0, -1 - ${below(54, 900, 'i')}, 0)`

const quantity = `(1 + ${below(55, 3, 'i')})`
const unit = `(500 + ${below(56, 9500, 'i')})`

/** Columns of the lists. */
const lists: Readonly<Record<string, string>> = {
  'line_items.id': each(letters(`sipHash64(number, 60, i)`)),
  'line_items.code': withSku(`if(${isSku}, ${code}, NULL)`),
  'line_items.item_id': withSku(`if(${isSku}, concat('sku', leftPad(toString(sku), 7, '0')), NULL)`),
  'line_items.item_type': each(
    `if(${isSku}, 'skus', ${pick(['shipments', 'bundles', 'payment_methods'], below(57, 3, 'i'))})`,
  ),
  'line_items.name': withSku(`if(${isSku}, concat('Name of ', ${code}), 'Express')`),
  'line_items.quantity': each(quantity),
  'line_items.unit_amount': each(cents(unit)),
  'line_items.options_amount': each('toDecimal64(0, 4)'),
  'line_items.total_amount': each(cents(`${unit} * ${quantity}`)),
  'line_items.tax_amount': each(cents(`round(${unit} * ${quantity} * 0.22)`)),
  'line_items.tax_rate': each('toDecimal64(0.22, 8)'),
  'line_items.discount': each(cents(discount)),
  'line_items.updated_at': each('placed'),
  'line_items.options_id': each("if(sipHash64(number, 70, i) % 10 = 0, ['optAAAAAAA'], [])"),
  'line_items.options_name': each("if(sipHash64(number, 70, i) % 10 = 0, ['Engraving'], [])"),
  'line_items.options_quantity': each('if(sipHash64(number, 70, i) % 10 = 0, [toInt64(1)], [])'),
  'line_items.options_total_amount': each('if(sipHash64(number, 70, i) % 10 = 0, [toDecimal64(5, 4)], [])'),
  'line_items.options_unit_amount': each('if(sipHash64(number, 70, i) % 10 = 0, [toDecimal64(5, 4)], [])'),
  'shipments.id': `[${letters('sipHash64(number, 80)')}]`,
  'shipments.number': "[concat('#', toString(number), '/S/001')]",
  'shipments.status': `[${pick(['shipped', 'picking', 'packing', 'on_hold'], skewed(81, 4))}]`,
  'shipments.cost_amount': `[${cents(below(82, 900))}]`,
  'shipments.items': `[${withSku(code)}]`,
  'shipments.items_count': '[toInt64(length(items))]',
  'shipments.created_at': '[placed]',
  'shipments.updated_at': '[placed + toIntervalHour(30)]',
  'shipments.shipped_at': `[placed + toIntervalSecond(${below(83, 200_000)})]`,
  'shipments.seconds_in_picking': `[${below(84, 90_000)}]`,
  'shipments.fulfillment_time': `[${below(83, 200_000)}]`,
  'shipments.stock_location_id': `[${pick(['stockAAAAA', 'stockBBBBB', 'stockCCCCC'], skewed(85, 3))}]`,
  'shipments.stock_location_name': `[${pick(['North', 'South', 'East'], skewed(85, 3))}]`,
  'shipments.shipping_method_name': `[${pick(['Standard', 'Express'], skewed(86, 2))}]`,
  'tags.id': "if(number % 7 = 0, ['tagVIPxxxx'], [])",
  'tags.name': "if(number % 7 = 0, ['vip'], [])",
  'refunds.id': `if(refunded, [${letters('sipHash64(number, 90)')}], [])`,
  'refunds.number': "if(refunded, [concat('#', toString(number), '/R/001')], [])",
  'refunds.amount': `if(refunded, [${cents('total / 2')}], [])`,
}

const isPlaced = "status IN ('placed', 'approved', 'cancelled')"
const wasApproved = "status = 'approved'"

const own: Readonly<Record<string, string>> = {
  version: 'toUInt64(1)',
  organization_id: "if(number >= main, 'orgBBBBBBB', 'orgAAAAAAA')",
  organization_name: "if(number >= main, 'Bravo', 'Acme')",
  organization_slug: "if(number >= main, 'bravo', 'acme')",
  mode: "'live'",
  id: letters('sipHash64(number, 1)'),
  number: 'toString(10000000 + number)',
  status: 'status',
  payment_status: `if(${isPlaced}, ${pick(['paid', 'authorized', 'partially_refunded'], skewed(3, 3))}, 'unpaid')`,
  fulfillment_status: `if(${wasApproved}, ${pick(['fulfilled', 'in_progress', 'unfulfilled'], skewed(4, 3))}, 'unfulfilled')`,
  created_at: 'created',
  updated_at: 'placed + toIntervalHour(30)',
  placed_at: `if(${isPlaced}, placed, NULL)`,
  approved_at: `if(${wasApproved}, approved, NULL)`,
  cancelled_at: "if(status = 'cancelled', approved, NULL)",
  current_date: `multiIf(status IN ('approved', 'cancelled'), approved, status = 'placed', placed, created)`,
  placed_day_of_week: `if(${isPlaced}, toDayOfWeek(placed), NULL)`,
  seconds_in_draft: `if(${isPlaced}, dateDiff('second', created, placed), NULL)`,
  seconds_in_approved: `if(${wasApproved}, dateDiff('second', placed, approved), NULL)`,
  country_code: pick(COUNTRIES, skewed(6, COUNTRIES.length)),
  currency_code: pick(CURRENCIES, 'market'),
  language_code: pick(['en', 'it', 'de', 'fr', null], skewed(7, 5)),
  customer_type: pick(['returning', 'new'], skewed(8, 2)),
  coupon: 'number % 11 = 0',
  coupon_code: `if(number % 11 = 0, ${pick(['SPRING', 'WELCOME', 'VIP'], skewed(9, 3))}, NULL)`,
  guest: 'number % 3 = 0',
  options: 'number % 4 = 0',
  refunded: 'refunded',
  returned: 'refunded',
  tax_included: 'number % 8 != 1',
  skus_count: 'toInt64(length(items))',
  shipments_count: 'toInt64(1)',
  subtotal_amount: cents('total'),
  subtotal_taxable_amount: cents('round(total / 1.22)'),
  subtotal_tax_amount: cents('total - round(total / 1.22)'),
  shipping_amount: cents('500'),
  discount_amount: cents(`if(${below(51, 10)} = 0, -1001, 0)`),
  discounted: `${below(51, 10)} = 0`,
  total_amount: cents('total'),
  total_tax_amount: cents('total - round(total / 1.22)'),
  total_taxable_amount: cents('round(total / 1.22)'),
  total_amount_with_taxes: cents('total + 500'),
  total_amount_with_taxes_net_of_refunds: cents('total + 500 - if(refunded, intDiv(total, 2), 0)'),
  refunds_total_amount_with_taxes: cents('if(refunded, intDiv(total, 2), 0)'),
  market_id: `concat('market', leftPad(toString(market), 4, 'A'))`,
  market_name: pick(MARKETS, 'market'),
  market_number: '10 + market',
  store_id: `if(number % 5 = 0, ${pick(['storeAAAAA', 'storeBBBBB', 'storeCCCCC'], skewed(10, 3))}, NULL)`,
  customer_id: `concat('cust', leftPad(toString(customer), 8, 'A'))`,
  customer_email: `concat('person.', toString(customer), '@example.com')`,
  customer_group_name: `if(number % 9 = 0, 'VIP', NULL)`,
  billing_address_city: pick(CITIES, skewed(11, CITIES.length)),
  billing_address_country_code: pick(COUNTRIES, skewed(6, COUNTRIES.length)),
  billing_address_first_name: pick(['Anna', 'Ben', 'Carla', 'Dan', 'Eva'], below(12, 5)),
  billing_address_last_name: `concat('Name', toString(customer % 5000))`,
  billing_address_zip_code: `leftPad(toString(${below(13, 99999)}), 5, '0')`,
  shipping_address_city: pick(CITIES, skewed(11, CITIES.length)),
  shipping_address_country_code: pick(COUNTRIES, skewed(6, COUNTRIES.length)),
  shipping_address_zip_code: `leftPad(toString(${below(13, 99999)}), 5, '0')`,
  payment_method_id: pick(['payMethodA', 'payMethodB', 'payMethodC'], skewed(14, 3)),
  payment_method_name: pick(['Adyen', 'Stripe', 'Wire'], skewed(14, 3)),
  payment_method_source_type: pick(['adyen_payments', 'stripe_payments', 'wire_transfers'], skewed(14, 3)),
  aggregated_details: `concat(toString(10000000 + number), '\\n', 'person.', toString(customer), '@example.com\\n', status, '\\n', arrayStringConcat(${withSku(`concat(${code}, '\\nName of ', ${code})`)}, '\\n'))`,
}

/** What several columns need. A little more than evenly spread: twice as many orders on the last day as on the first. */
const facts = (orders: number): string => `
  ${orders} AS main,
  (number % main) / toFloat64(main) AS at,
  toDateTime64('${FIRST_DAY}', 3, 'UTC') AS first,
  first + toIntervalMillisecond(toInt64(${SPAN_MS} * (sqrt(1 + 3 * at) - 1))) AS created,
  created + toIntervalSecond(${below(20, 7_200)}) AS placed,
  placed + toIntervalSecond(${below(21, 172_800)}) AS approved,
  ${pick(['approved', 'placed', 'cancelled', 'draft', 'pending'], `toInt64(${below(22, 100)} >= 80) + toInt64(${below(22, 100)} >= 92) + toInt64(${below(22, 100)} >= 96) + toInt64(${below(22, 100)} >= 98)`)} AS status,
  ${skewed(23, 8)} AS market,
  ${below(24, 200_000)} AS customer,
  range(1, 2 + toUInt32(sipHash64(number, 25) % 5)) AS items,
  arraySum(${each(`${unit} * ${quantity}`)}) AS total,
  sipHash64(number, 26) % 30 = 0 AS refunded`

const columns = { ...own, ...lists }

const names = Object.keys(columns)
  .map((name) => `\`${name}\``)
  .join(', ')

/** Orders `from` … below `to` of a shop with `orders`; those from number `orders` on are of the other environment. */
export const insertOrders = (orders: number, from: number, to: number): string =>
  `INSERT INTO orders (${names}) SELECT ${Object.values(columns).join(',\n')}
FROM (SELECT number, ${facts(orders)} FROM numbers(${from}, ${to - from}))
SETTINGS max_insert_block_size = 200000, max_threads = 2`

/** The quarter that an open shop writes to. */
export const LAST_QUARTER = QUARTERS.at(-1) ?? 0

/**
 * Another version of one order in twenty of the last two months, and of one in 200 of the month before: what an open shop
 * changes in the quarter that it writes to, while its parts are not merged yet.
 */
export const changeLastQuarter = `INSERT INTO orders (${names})
SELECT ${names.replace('`version`', 'version + 1').replace('`updated_at`', 'updated_at + toIntervalHour(1)')} FROM orders FINAL
WHERE created_at >= toDateTime64('2024-10-01 00:00:00.000', 3, 'UTC')
AND sipHash64(id, 99) % if(created_at > toDateTime64('2024-11-01 00:00:00.000', 3, 'UTC'), 20, 200) = 0
SETTINGS max_threads = 2`

/** What the table itself does with a quarter that nothing was written to for a while. */
export const mergeQuarter = (quarter: number): string => `OPTIMIZE TABLE orders PARTITION ${quarter} FINAL`
