/** What is stored of the orders of a model, of their money, stock and events, against the reference. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import type { Pool } from 'pg'
import { totalOf } from '../../support/order-model.ts'
import type { OrderModel, ShopModel } from '../../support/order-model.ts'

/** What of the system belongs to one sequence. */
export interface Shop {
  readonly sku: number
  readonly code: string
  readonly orders: string[]
  /** Orders that wait for the job, in the order in which they began. */
  waiting: number[]
  /** Topic of an order → how often it must have happened. */
  readonly events: Map<string, number>[]
}

/** Statuses that an order may have together (lifecycles.md 1.1). */
export const JOINT = new Set([
  'draft unpaid unfulfilled',
  'draft authorized unfulfilled',
  'pending unpaid unfulfilled',
  'pending authorized unfulfilled',
  'placing unpaid unfulfilled',
  'placing authorized unfulfilled',
  'placed authorized unfulfilled',
  'placed free unfulfilled',
  'editing authorized unfulfilled',
  'editing free unfulfilled',
  'approved authorized unfulfilled',
  'approved partially_paid unfulfilled',
  'approved free in_progress',
  'approved free fulfilled',
  'approved paid in_progress',
  'approved paid fulfilled',
  'approved partially_refunded in_progress',
  'approved partially_refunded fulfilled',
  'cancelled unpaid unfulfilled',
  'cancelled voided unfulfilled',
  'cancelled free unfulfilled',
  'cancelled refunded unfulfilled',
  'cancelled refunded fulfilled',
])

/** Joint states of this run. */
export const reached = new Set<string>()

const BOOKS = `SELECT orders.status, orders.payment_status AS payment, orders.fulfillment_status AS fulfillment,
    orders.total_amount_with_taxes_cents::int AS total, orders.archived_at IS NOT NULL AS "isArchived",
    (SELECT coalesce(sum(capture_balance_cents), 0)::int FROM transactions
      WHERE environment_id = 1 AND order_id = orders.id AND type = 'authorizations') AS "openCents",
    (SELECT coalesce(sum(CASE type WHEN 'captures' THEN amount_cents WHEN 'refunds' THEN -amount_cents END), 0)::int
      FROM transactions WHERE environment_id = 1 AND order_id = orders.id AND succeeded) AS "receivedCents",
    (SELECT coalesce(sum(quantity), 0)::int FROM line_items
      WHERE environment_id = 1 AND order_id = orders.id AND item_type = 'skus') AS quantity,
    (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations AS held
      WHERE environment_id = 1
        AND line_item_id IN (SELECT id FROM line_items WHERE environment_id = 1 AND order_id = orders.id)) AS reserved,
    (SELECT coalesce(sum(taken.quantity), 0)::int FROM stock_line_items AS taken
      WHERE taken.environment_id = 1 AND taken.decremented_at IS NOT NULL
        AND taken.line_item_id IN (SELECT id FROM line_items WHERE environment_id = 1 AND order_id = orders.id)) AS taken,
    (SELECT coalesce(json_object_agg(topic, count), '{}') FROM (
      SELECT name AS topic, count(*) FROM events
        WHERE environment_id = 1 AND resource_type = 'orders' AND record_id = orders.id GROUP BY 1) AS counted) AS events
  FROM orders WHERE environment_id = 1 AND id = ANY($1::bigint[]) ORDER BY id`

const STOCK = `SELECT sum(quantity)::int AS "onHand", min(quantity)::int >= 0 AS "isNeverNegative",
    (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks WHERE environment_id = 1 AND sku_id = $1) AS counted,
    (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations WHERE environment_id = 1 AND sku_id = $1) AS reserved
  FROM stock_items WHERE environment_id = 1 AND sku_id = $1`

/** Throws when what is stored is not what the reference has. */
export const expectBooks = async (pool: Pool, model: ShopModel, shop: Shop): Promise<void> => {
  const numbers = shop.orders.map((order) => decodeId('orders', order))
  const { rows } = await pool.query<Readonly<Record<string, unknown>>>(BOOKS, [numbers])
  expect(rows.map(({ events: _events, ...row }) => row)).toEqual(
    model.orders.map((order) => ({
      status: order.status,
      payment: order.payment,
      fulfillment: order.fulfillment,
      total: totalOf(model, order),
      isArchived: order.isArchived,
      openCents: order.openCents,
      receivedCents: order.receivedCents,
      quantity: order.quantity,
      reserved: order.reserved,
      taken: order.taken,
    })),
  )
  expect(rows.map(({ events }) => movesIn(events as Record<string, number>))).toEqual(
    shop.events.map((events) => Object.fromEntries(events)),
  )
  for (const { status, payment, fulfillment } of model.orders) {
    expect(JOINT).toContain(`${status} ${payment} ${fulfillment}`)
    reached.add(`${status} ${payment} ${fulfillment}`)
  }
  const reserved = model.orders.reduce((sum, order) => sum + order.reserved, 0)
  const stock = await pool.query(STOCK, [shop.sku])
  expect(stock.rows).toEqual([{ onHand: model.onHand, isNeverNegative: true, counted: reserved, reserved }])
}

const OTHER_TOPICS: ReadonlySet<string> = new Set(['orders.create', 'orders.rebuild_shipments'])

const movesIn = (events: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(events).filter(([topic]) => !OTHER_TOPICS.has(topic)))

const TOPICS_OF_STATUS: Readonly<Record<string, string>> = {
  draft: 'orders.draft',
  pending: 'orders.pending',
  placing: 'orders.placing',
  editing: 'orders.start_editing',
  approved: 'orders.approve',
  cancelled: 'orders.cancel',
}
const TOPICS_OF_PAYMENT: Readonly<Record<string, string>> = {
  authorized: 'orders.authorize',
  paid: 'orders.pay',
  voided: 'orders.void',
  refunded: 'orders.refund',
  partially_refunded: 'orders.refund',
}

/** The events of the transitions between two states of an order. */
export const topicsBetween = (before: OrderModel, after: OrderModel): readonly string[] => {
  const topics: (string | undefined)[] = []
  if (before.status !== after.status)
    topics.push(
      after.status === 'placed'
        ? before.status === 'editing'
          ? 'orders.stop_editing'
          : 'orders.place'
        : TOPICS_OF_STATUS[after.status],
    )
  // What was refunded before the rest was captured does not make it less paid.
  const isRestCaptured = before.payment === 'partially_paid' && after.payment === 'partially_refunded'
  if (before.payment !== after.payment)
    topics.push(isRestCaptured ? 'orders.pay' : TOPICS_OF_PAYMENT[after.payment])
  if (before.fulfillment !== after.fulfillment)
    topics.push(
      after.fulfillment === 'in_progress'
        ? 'orders.start_fulfilling'
        : after.fulfillment === 'fulfilled'
          ? 'orders.fulfill'
          : 'orders.cancel_fulfilling',
    )
  return topics.filter((topic) => topic !== undefined)
}
