/** The demo shop: complete, consistent, repeatable, and fit for the feed. */
import type { Row } from '@merx/jsonapi/attributes'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { ordersPerDay } from '../../../demo/calendar.ts'
import { loadDemo } from '../../../demo/load-demo.ts'
import type { DemoCatalogue } from '../../../demo/load-demo.ts'
import { areas } from '../../../src/areas.ts'
import { drawPicture } from '../../../src/catalogue/sku-picture.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { authenticateCustomer } from '../../../src/internal/customers.ts'
import { resolveScopes } from '../../../src/internal/resolve-scopes.ts'
import { changedColumns, lineWrites, readLines } from '../../../src/orders/order-lines.ts'
import { recalculateOrder } from '../../../src/orders/totals/recalculate-order.ts'
import { VENDOR_SOURCES } from '../../../src/payments/vendors/vendors.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { feedReader } from '../support/feed-reader.ts'
import { insert } from '../support/small-shop.ts'

const organizations = [
  { id: 'aaaaaaaaaa', slug: 'first', name: 'First' },
  { id: 'bbbbbbbbbb', slug: 'second', name: 'Second' },
]
const now = new Date('2026-11-20T12:00:00.000Z')

let core: CoreDatabase
let catalogue: DemoCatalogue
const progress: string[] = []

const load = (orders: number): Promise<DemoCatalogue> =>
  loadDemo({
    pool: core.copying,
    ids: testIds,
    organizations,
    sizes: { orders, skus: 150, customers: 120 },
    onProgress: (line) => progress.push(line),
    now,
  })

const count = async (statement: string): Promise<number> => {
  const [row] = await core.database.query<{ count: number }>(`SELECT count(*) AS count FROM ${statement}`)
  return row?.count ?? -1
}

beforeAll(async () => {
  core = await openCoreDatabase('demo')
  catalogue = await load(600)
})
afterAll(() => core.drop())

test('every environment has its share of the orders, and says how it goes', async () => {
  const rows = await core.database.query(
    `SELECT slug, mode, (SELECT count(*) FROM orders WHERE environment_id = environments.id) AS orders
     FROM environments ORDER BY id`,
  )
  expect(rows).toEqual([
    { slug: 'first', mode: 'test', orders: 600 },
    { slug: 'first', mode: 'live', orders: 60 },
    { slug: 'second', mode: 'test', orders: 36 },
    { slug: 'second', mode: 'live', orders: 12 },
  ])
  expect(progress).toContain('first (test): 600 of 600 orders')
})

test('what it says of itself can be scoped to and logged in with', async () => {
  const demo = catalogue['aaaaaaaaaa']?.test
  const environment = { organization_id: 'aaaaaaaaaa', mode: 'test' as const }
  const references = [
    ...(demo?.markets ?? []).map(({ code, id }) => ({ type: 'market' as const, code, id })),
    ...(demo?.stores ?? []).map(({ code, id }) => ({ type: 'store' as const, code, id })),
    ...(demo?.stock_locations ?? []).map(({ code, id }) => ({ type: 'stock_location' as const, code, id })),
  ]
  const rows = { database: core.database, ids: testIds }
  const found = await resolveScopes(rows, {
    ...environment,
    references: references.map(({ type, code }) => ({ type, by: 'code' as const, value: code })),
  })
  expect(references).toHaveLength(14)
  expect(found.references.map(({ id }) => id)).toEqual(references.map(({ id }) => id))
  expect(demo?.markets.filter((market) => market.private).map(({ code }) => code)).toEqual([
    demo?.private_customer.market_code,
  ])
  const customer = demo && (await authenticateCustomer(rows, { ...environment, ...demo.customer }))
  const member = demo && (await authenticateCustomer(rows, { ...environment, ...demo.private_customer }))
  const club = found.markets.find(({ code }) => code === 'VIP')
  expect(customer?.customer_group_id).toBeNull()
  expect(member?.customer_group_id).toBe(club?.customer_group_id)
})

test('markets do not all sell the same, and some stock is empty', async () => {
  const sellable = await core.database.query<{ code: string; skus: number }>(
    `SELECT markets.code, count(DISTINCT prices.sku_id) AS skus
     FROM markets JOIN prices USING (environment_id, price_list_id)
     JOIN inventory_stock_locations AS listed USING (environment_id, inventory_model_id)
     JOIN stock_items USING (environment_id, sku_id, stock_location_id)
     WHERE environment_id = 1 GROUP BY markets.code`,
  )
  expect(new Set(sellable.map(({ skus }) => skus)).size).toBe(5)
  expect(sellable.every(({ skus }) => skus > 20 && skus < 150)).toBe(true)
  expect(await count('stock_items WHERE quantity = 0')).toBeGreaterThan(0)
  expect(
    await count('sku_lists WHERE NOT manual AND NOT EXISTS (SELECT FROM skus WHERE code ~ sku_code_pattern)'),
  ).toBe(0)
  expect(await count('sku_list_items WHERE position = 1')).toBe(await count('sku_lists WHERE manual'))
  expect(await count("skus WHERE code !~ '^[A-Z0-9]{8}[0-9A-F]{12}[A-Z0-9]{4}$'")).toBe(0)
})

test('every market that shows goods to all has bundles, for less than their SKUs cost and of SKUs that it has', async () => {
  expect(await count('bundles')).toBeGreaterThanOrEqual(8)
  expect(await count('bundles WHERE price_amount_cents >= compare_at_amount_cents')).toBe(0)
  expect(
    await count(
      `bundles WHERE skus_count <> (SELECT sum(quantity) FROM bundle_skus WHERE bundle_id = bundles.id)`,
    ),
  ).toBe(0)
})

test('what is offered to pay with can pay, and open carts have nothing else', async () => {
  const offered = await core.database.query<{ type: string }>(
    'SELECT DISTINCT payment_source_type AS type FROM payment_methods WHERE disabled_at IS NULL',
  )
  expect(offered.length).toBeGreaterThan(0)
  expect(offered.filter(({ type }) => VENDOR_SOURCES.includes(type))).toEqual([])
  expect(
    await count(`markets WHERE NOT EXISTS (SELECT FROM payment_methods
      WHERE payment_methods.market_id = markets.id AND payment_methods.disabled_at IS NULL)`),
  ).toBe(0)
  expect(
    await count(`orders JOIN payment_methods ON payment_methods.id = payment_method_id
      WHERE placed_at IS NULL AND payment_methods.disabled_at IS NOT NULL`),
  ).toBe(0)
})

test('every article has a picture that Merx draws', async () => {
  const skus = await core.database.query<{ code: string; image_url: string }>(
    'SELECT code, image_url FROM skus',
  )
  for (const { code, image_url } of skus) {
    expect(image_url).toBe(`/api/pictures/${code}.svg`)
    expect([code, drawPicture(code)?.startsWith('<svg')]).toEqual([code, true])
  }
})

/** Status, payment and fulfillment that the state machines bring together (docs/reference/state-machines.md). */
const JOINT_STATES = [
  'draft unpaid unfulfilled',
  'draft unpaid not_required',
  'pending unpaid unfulfilled',
  'pending unpaid not_required',
  'placing unpaid unfulfilled',
  'placing unpaid not_required',
  ...['placed', 'editing'].flatMap((status) =>
    ['authorized', 'free'].flatMap((paid) => [
      `${status} ${paid} unfulfilled`,
      `${status} ${paid} not_required`,
    ]),
  ),
  ...['paid', 'partially_refunded', 'free'].flatMap((paid) =>
    ['in_progress', 'fulfilled', 'not_required'].map((fulfillment) => `approved ${paid} ${fulfillment}`),
  ),
  ...['voided', 'refunded', 'free'].flatMap((paid) => [
    `cancelled ${paid} unfulfilled`,
    `cancelled ${paid} not_required`,
  ]),
]

describe('painted orders are as the state machines leave orders', () => {
  it('in status, payment and fulfillment together', async () => {
    const found = await core.database.query<{ joint: string }>(
      `SELECT DISTINCT concat_ws(' ', status, payment_status, fulfillment_status) AS joint FROM orders`,
    )
    expect(found.map(({ joint }) => joint).filter((joint) => !JOINT_STATES.includes(joint))).toEqual([])
  })

  it('with what placing, approving and cancelling leave behind, and nothing of it before', async () => {
    expect(
      await count(`orders WHERE
        (status IN ('draft', 'pending', 'placing')) <> (placed_at IS NULL)
        OR (placed_at IS NULL) <> (place_total_amount_cents IS NULL)
        OR (placed_at IS NULL) <> (customer_type IS NULL)
        OR (status = 'approved' AND approved_at IS NULL) OR (status = 'cancelled') <> (cancelled_at IS NOT NULL)
        OR (payment_status = 'free') <> (placed_at IS NOT NULL AND total_amount_with_taxes_cents = 0)
        OR (status <> 'draft' AND customer_id IS NULL) OR (status = 'draft' AND customer_id IS NOT NULL)`),
    ).toBe(0)
  })

  it('with shipments from pending on, as far as the fulfillment has come', async () => {
    const ships = `EXISTS (SELECT FROM line_items JOIN skus ON skus.id = item_id
      WHERE item_type = 'skus' AND order_id = orders.id AND NOT do_not_ship)`
    const shipments = '(SELECT count(*) FROM shipments WHERE order_id = orders.id)'
    expect(
      await count(`orders WHERE (${ships} AND status <> 'draft') <> (${shipments} > 0)
        OR (fulfillment_status = 'not_required' AND ${ships})`),
    ).toBe(0)
    expect(
      await count(`shipments JOIN orders ON orders.id = order_id WHERE NOT CASE
        WHEN orders.placed_at IS NULL THEN shipments.status = 'draft'
        WHEN orders.status = 'cancelled' THEN shipments.status = 'cancelled'
        WHEN fulfillment_status = 'unfulfilled' THEN shipments.status = 'upcoming'
        WHEN fulfillment_status = 'in_progress'
          THEN shipments.status IN ('picking', 'packing', 'ready_to_ship', 'on_hold')
        ELSE shipments.status IN ('shipped', 'delivered') END`),
    ).toBe(0)
    expect(
      await count(`shipments WHERE shipping_method_id IS NULL AND status <> 'draft'
        OR NOT EXISTS (SELECT FROM stock_line_items WHERE shipment_id = shipments.id)`),
    ).toBe(0)
  })
})

test('totals are the sums of the lines, to the cent', async () => {
  const wrong = await core.database.query(
    `SELECT orders.id FROM orders JOIN LATERAL (
       SELECT
         coalesce(sum(total_amount_cents) FILTER (WHERE item_type = 'skus'), 0) AS goods,
         coalesce(sum(total_amount_cents) FILTER (WHERE item_type = 'shipments'), 0) AS shipping,
         coalesce(sum(total_amount_cents) FILTER (WHERE item_type = 'payment_methods'), 0) AS payment,
         coalesce(sum(total_amount_cents) FILTER (WHERE item_type = 'adjustments'), 0) AS adjustment,
         coalesce(sum(total_amount_cents) FILTER (WHERE item_type LIKE '%promotions'), 0) AS discount,
         coalesce(sum(total_amount_cents) FILTER (WHERE item_type = 'gift_cards'), 0) AS gift_card,
         coalesce(sum(discount_cents), 0) AS shares, sum(total_amount_cents) AS total,
         bool_and(total_amount_cents = unit_amount_cents * quantity + options_amount_cents) AS lines_add_up,
         coalesce(sum(quantity) FILTER (WHERE item_type = 'skus'), 0) AS units
       FROM line_items WHERE line_items.environment_id = orders.environment_id AND line_items.order_id = orders.id
     ) AS lines ON true
     WHERE NOT lines_add_up
       OR (goods, shipping, payment, adjustment, discount, gift_card, units) IS DISTINCT FROM
          (subtotal_amount_cents, shipping_amount_cents, payment_method_amount_cents, adjustment_amount_cents,
           discount_amount_cents, gift_card_amount_cents, skus_count)
       OR shares <> discount_amount_cents
       OR total <> total_amount_cents
       OR total_amount_with_taxes_cents <> total_amount_cents + CASE WHEN tax_included THEN 0 ELSE total_tax_amount_cents END
       OR total_tax_amount_cents < 0`,
  )
  expect(wrong).toEqual([])
  expect(await count("orders WHERE currency_code = 'JPY' AND total_amount_cents > 100000")).toBe(0)
})

test('nothing happened in the future, and everything after what it follows', async () => {
  const instants = [
    'placed_at',
    'approved_at',
    'cancelled_at',
    'payment_updated_at',
    'fulfillment_updated_at',
    'updated_at',
  ]
  for (const instant of instants)
    expect([instant, await count(`orders WHERE ${instant} > '${now.toISOString()}'`)]).toEqual([instant, 0])
  expect(
    await count('orders WHERE placed_at < created_at OR approved_at < placed_at OR cancelled_at < placed_at'),
  ).toBe(0)
  expect(
    await count(
      `returns WHERE updated_at > '${now.toISOString()}' OR approved_at < created_at OR shipped_at < approved_at
         OR received_at < shipped_at OR refunded_at < received_at
         OR (status = 'refunded') <> (refunded_at IS NOT NULL)
         OR skus_count <> (SELECT sum(quantity) FROM return_line_items WHERE return_id = returns.id)
         OR destination_address_id IS NULL OR origin_address_id IS NULL`,
    ),
  ).toBe(0)
  expect(await count('shipments WHERE shipped_at < picking_at OR delivered_at < shipped_at')).toBe(0)
  expect(
    await count("orders WHERE status IN ('placed', 'approved', 'cancelled') AND placed_at IS NULL"),
  ).toBe(0)
  expect(
    await count("orders WHERE status = 'pending' AND (customer_id IS NULL OR placed_at IS NOT NULL)"),
  ).toBe(0)
})

test('the counters of the rows agree with what they count', async () => {
  expect(
    await count(
      `orders WHERE shipments_count <> (SELECT count(*) FROM shipments WHERE shipments.order_id = orders.id)
         OR errors_count <> (SELECT count(*) FROM resource_errors WHERE resource_errors.order_id = orders.id)
         OR line_item_options_count <> (SELECT count(*) FROM line_item_options AS options
              JOIN line_items ON line_items.id = options.line_item_id WHERE line_items.order_id = orders.id)`,
    ),
  ).toBe(0)
  expect(
    await count(
      `customers WHERE total_orders_count <> (SELECT count(*) FROM orders
           WHERE orders.customer_id = customers.id AND placed_at IS NOT NULL)
         OR status <> CASE total_orders_count WHEN 0 THEN 'prospect' WHEN 1 THEN 'acquired' ELSE 'repeat' END`,
    ),
  ).toBe(0)
})

test('every order comes through the feed once, in its first version, as the schema says', async () => {
  const { entries } = await feedReader(core.database).all()
  const documents = entries.flatMap((entry): readonly OrderDocument[] =>
    entry.kind === 'upsert' ? [entry.document] : [],
  )
  expect(documents).toHaveLength(708)
  expect(new Set(documents.map(({ id }) => id)).size).toBe(708)
  expect(new Set(documents.map(({ version }) => version))).toEqual(new Set([1]))
  const has = (is: (document: OrderDocument) => boolean): boolean => documents.some(is)
  expect(has(({ refunds }) => refunds.length > 0)).toBe(true)
  expect(has(({ shipments }) => shipments.some(({ items }) => items.length > 0))).toBe(true)
  expect(has(({ line_items }) => line_items.some(({ options }) => options.length > 0))).toBe(true)
  expect(has(({ payment_method }) => payment_method?.issuer === 'visa')).toBe(true)
  expect(has(({ minor_unit_digits }) => minor_unit_digits === 0)).toBe(true)
  expect(has(({ tags }) => tags.length > 0)).toBe(true)
  expect(has(({ returns }) => returns.length > 0)).toBe(true)
  expect(has(({ coupon_code }) => coupon_code !== null)).toBe(true)
})

test('loading again changes nothing, and loading more goes on from there', async () => {
  const before = await count('line_items')
  expect(await load(600)).toEqual(catalogue)
  expect(await count('line_items')).toBe(before)
  await load(650)
  expect(await count('orders WHERE environment_id = 1')).toBe(650)
  expect(await count('skus WHERE environment_id = 1')).toBe(150)
})

test('orders made afterwards take the next number', async () => {
  const [market] = await core.database.query<{ id: number }>(
    "SELECT id FROM markets WHERE environment_id = 2 AND code = 'EU'",
  )
  const id = await insert(core.database, 'orders', {
    environment_id: 2,
    market_id: market?.id,
    currency_code: 'EUR',
  })
  expect(await core.database.query('SELECT number FROM orders WHERE id = $1', [id])).toEqual([
    { number: String(await count('orders WHERE environment_id = 2')) },
  ])
  expect(encodeId('orders', id)).toMatch(/^[a-zA-Z]{10,}$/)
})

test('recalculating an order changes nothing', async () => {
  const registry = createRegistry(areas, { ids: testIds })
  const orders = await core.database.query<
    Row & { id: number; environment_id: number; mode: 'test' | 'live' }
  >(
    `SELECT orders.*, mode FROM orders JOIN environments ON environments.id = environment_id
     WHERE status IN ('draft', 'pending') OR orders.id % 10 = 0`,
  )
  expect(orders.length).toBeGreaterThan(60)
  const run = runIn(core.database)
  for (const order of orders) {
    const scope = { environmentId: order.environment_id, organizationId: 'aaaaaaaaaa', mode: order.mode }
    const step = { run, registry, scope, now, actor: {}, isImport: false }
    const lines = await readLines(order.id, step)
    // the shipments of its carts are planned by stock and strategy with their first change
    const result = await recalculateOrder(order, lines, step, { isRefresh: true, keepsShipments: true })
    const { refreshed_at: _at, ...changes } = changedColumns(order, result.set)
    expect([order.id, changes, lineWrites(result.lines, registry)]).toEqual([order.id, {}, []])
  }
})

test('an interrupted load continues where it was, with the same years as one that was not interrupted', async () => {
  const other = await openCoreDatabase('demo_interrupted')
  const loadInto = (onProgress: (line: string) => void) =>
    loadDemo({
      pool: other.copying,
      ids: testIds,
      organizations: organizations.slice(0, 1),
      sizes: { orders: 9_000, skus: 150, customers: 120 },
      onProgress,
      now,
    })
  try {
    const interrupted = loadInto((line) => {
      if (line.endsWith('of 9,000 orders')) throw new Error('Ctrl-C')
    })
    await expect(interrupted).rejects.toThrow('Ctrl-C')
    await loadInto(() => undefined)
    const days = await other.database.query<{ day: string; orders: number }>(
      `SELECT to_char(created_at, 'YYYY-MM-DD') AS day, count(*) AS orders FROM orders WHERE environment_id = 1 GROUP BY 1 ORDER BY 1`,
    )
    const planned = ordersPerDay(9_000, now).filter(({ orders }) => orders > 0)
    expect(days).toEqual(planned.map(({ day, orders }) => ({ day: day.toISOString().slice(0, 10), orders })))
  } finally {
    await other.drop()
  }
})
