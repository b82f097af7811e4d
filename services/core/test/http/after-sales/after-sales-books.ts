/** What is stored of a shop's orders, promotions, gift card, returns, stock and subscription, against the reference. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import type { Pool } from 'pg'
import { PRICES, subtotalOf, sumOf, totalOf } from '../../support/after-sales-model.ts'
import type { LineModel, OrderModel, ShopModel } from '../../support/after-sales-model.ts'
import { reservedOf } from '../../support/after-sales-orders.ts'
import { estimateOf } from '../../support/after-sales-returns.ts'

/** Ids of what belongs to one sequence, in the order of the reference. */
export interface Shop {
  readonly card: string
  readonly sale: string
  readonly orders: string[]
  /** The last return of each order. */
  readonly returns: Map<string, string>
}

const ORDERS = `SELECT status, payment_status AS payment,
    CASE WHEN placed_at IS NOT NULL THEN fulfillment_status END AS fulfillment,
    subtotal_amount_cents::int AS subtotal, -discount_amount_cents::int AS discount,
    -gift_card_amount_cents::int AS "cardPays", total_amount_with_taxes_cents::int AS total,
    coupon_code IS NOT NULL AS "hasCoupon", gift_card_code IS NOT NULL AS "hasCard",
    (SELECT coalesce(sum(amount_cents), 0)::int FROM gift_card_uses WHERE order_id = orders.id) AS taken,
    (SELECT coalesce(sum(capture_balance_cents), 0)::int FROM transactions
      WHERE order_id = orders.id AND type = 'authorizations') AS open,
    (SELECT coalesce(sum(amount_cents), 0)::int FROM transactions
      WHERE order_id = orders.id AND type = 'captures' AND succeeded) AS captured,
    (SELECT coalesce(sum(amount_cents), 0)::int FROM transactions
      WHERE order_id = orders.id AND type = 'refunds' AND succeeded) AS refunded,
    (SELECT coalesce(array_agg(promotions.name ORDER BY promotions.name DESC), '{}') FROM promotion_uses AS uses
      JOIN promotions ON promotions.id = uses.promotion_id WHERE uses.order_id = orders.id) AS uses
  FROM orders WHERE id = ANY($1::bigint[]) ORDER BY id`

const expectedOrder = (shop: ShopModel, order: OrderModel) => ({
  status: order.status,
  payment: order.payment,
  fulfillment: order.placedAt > 0 ? order.fulfillment : null,
  subtotal: subtotalOf(shop, order),
  discount: sumOf(order, 'sale') + sumOf(order, 'coupon'),
  cardPays: order.cardPays,
  total: totalOf(shop, order),
  hasCoupon: order.hasCoupon,
  hasCard: order.hasCard,
  taken: order.taken,
  open: order.open,
  captured: order.captured,
  refunded: order.refunded,
  uses: [...(order.usesSale ? ['Sale'] : []), ...(order.usesCoupon ? ['Coupon'] : [])],
})

const LINES = `SELECT order_id AS "order", coalesce(bundle_code, sku_code) AS article, quantity, total_amount_cents::int AS total,
    -discount_cents::int AS discount, restocked_quantity AS restocked,
    (SELECT coalesce(json_object_agg(part ->> 'name', -(part ->> 'cents')::int), '{}')
      FROM jsonb_each(coalesce(discount_breakdown, '{}')) AS parts (key, part)) AS shares
  FROM line_items WHERE order_id = ANY($1::bigint[]) AND item_type IN ('skus', 'bundles') ORDER BY order_id, id`

const sharesOf = ({ sale, coupon, card }: LineModel) =>
  Object.fromEntries(
    Object.entries({ Sale: sale, Coupon: coupon, 'Gift card': card }).filter(([, cents]) => cents > 0),
  )

const expectedLines = (number: number, { lines, returns }: OrderModel) =>
  lines.map((line) => ({
    order: number,
    article: line.article === 'SET' ? 'SET' : `SKU-${line.article}`,
    quantity: line.quantity,
    total: PRICES[line.article] * line.quantity,
    discount: line.sale + line.coupon + line.card,
    restocked: returns
      .flatMap(({ lines: all }) => all)
      .filter(({ article, isRestocked }) => isRestocked && article === line.article)
      .reduce((units, { quantity }) => units + quantity, 0),
    shares: sharesOf(line),
  }))

/** What each promotion says that it takes off an order. */
const PROMOTION_LINES = `SELECT order_id AS "order", name, -total_amount_cents::int AS cents FROM line_items
  WHERE order_id = ANY($1::bigint[]) AND item_type LIKE '%_promotions' ORDER BY order_id, name DESC`

const expectedPromotionLines = (number: number, order: OrderModel) =>
  [
    { order: number, name: 'Sale', cents: sumOf(order, 'sale') },
    { order: number, name: 'Coupon', cents: sumOf(order, 'coupon') },
  ].filter(({ cents }) => cents > 0)

const COUNTS = `SELECT
  (SELECT total_usage_count::int FROM promotions WHERE name = 'Sale' AND environment_id = 1) AS sale,
  (SELECT total_usage_count::int FROM promotions WHERE name = 'Coupon' AND environment_id = 1) AS "ofCoupon",
  (SELECT usage_count::int FROM coupons WHERE environment_id = 1) AS coupon,
  (SELECT usage_count <= usage_limit FROM coupons WHERE environment_id = 1) AS "isInLimit"`

/** What the two logs of the card say together is its balance, and neither shows more than happened. */
const CARD = `SELECT status, balance_cents::int AS balance, initial_balance_cents::int AS initial,
    (SELECT coalesce(sum((entry ->> 'balance_change_cents')::int), 0)::int
      FROM jsonb_array_elements(coalesce(balance_log, '[]')) AS log (entry)) AS "byHand",
    (SELECT coalesce(-sum((entry ->> 'amount_cents')::int), 0)::int
      FROM jsonb_each(coalesce(usage_log, '{}')) AS orders (key, entries), jsonb_array_elements(entries) AS log (entry)) AS used
  FROM gift_cards WHERE id = $1`

const RETURNS = `SELECT order_id AS "order", status, estimated_refund_amount_cents::int AS estimate,
    (SELECT coalesce(json_agg(json_build_array(coalesce(bundle_code, sku_code), quantity, total_amount_cents, restocked_at IS NOT NULL)
      ORDER BY id), '[]') FROM return_line_items WHERE return_id = returns.id) AS lines
  FROM returns WHERE order_id = ANY($1::bigint[]) ORDER BY order_id, id`

const expectedReturns = (number: number, { returns }: OrderModel) =>
  returns.map((each) => ({
    order: number,
    status: each.status,
    estimate: estimateOf(each),
    lines: each.lines.map(({ article, quantity, cents, isRestocked }) => [
      article === 'SET' ? 'SET' : `SKU-${article}`,
      quantity,
      cents,
      isRestocked,
    ]),
  }))

const STOCK = `SELECT sku_code AS sku, sum(quantity)::int AS quantity,
    (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks
      WHERE environment_id = 1 AND sku_id = items.sku_id) AS reserved
  FROM stock_items AS items WHERE environment_id = 1 AND sku_code IN ('SKU-A', 'SKU-B')
  GROUP BY sku_code, sku_id ORDER BY 1`

/** Each time has one copy, and each copy one order that costs what its articles cost. */
const MADE = `SELECT copies.due_at AS due, copies.status, orders.status AS "order",
    orders.total_amount_with_taxes_cents::int AS total
  FROM order_factories AS copies LEFT JOIN orders ON orders.id = copies.target_order_id
  WHERE copies.environment_id = 1 ORDER BY copies.id`

const SUBSCRIPTIONS = `SELECT status, next_run_at AS next, errors_count::int AS errors FROM order_subscriptions
  WHERE environment_id = 1`

const expectedMade = ({ subscription }: ShopModel) => {
  const lines = subscription?.lines ?? []
  const total = lines.reduce((cents, { article, quantity }) => cents + PRICES[article] * quantity, 0)
  return (subscription?.made ?? []).map((due) => ({
    due: new Date(due),
    status: 'completed',
    order: 'placed',
    total,
  }))
}

/** Throws when what is stored is not what the reference has. */
export const expectBooks = async (pool: Pool, model: ShopModel, shop: Shop): Promise<void> => {
  const numbers = shop.orders.map((id) => decodeId('orders', id))
  const ofOrders = <Row>(expected: (number: number, order: OrderModel) => readonly Row[]) =>
    model.orders.flatMap((order, at) => expected(numbers[at] ?? 0, order))
  const rows = async (text: string, values: readonly unknown[] = [numbers]) =>
    (await pool.query<Readonly<Record<string, unknown>>>(text, [...values])).rows

  expect(await rows(ORDERS)).toEqual(model.orders.map((order) => expectedOrder(model, order)))
  expect(await rows(LINES)).toEqual(ofOrders(expectedLines))
  expect(await rows(PROMOTION_LINES)).toEqual(ofOrders(expectedPromotionLines))
  expect(await rows(RETURNS)).toEqual(ofOrders(expectedReturns))
  const uses = (name: 'usesSale' | 'usesCoupon') => model.orders.filter((order) => order[name]).length
  expect(await rows(COUNTS, [])).toEqual([
    { sale: uses('usesSale'), ofCoupon: uses('usesCoupon'), coupon: uses('usesCoupon'), isInLimit: true },
  ])
  const { card, terms, subscription } = model
  const used = model.orders.reduce((cents, { taken }) => cents + taken, 0)
  expect(card.balance).toBe(terms.cardCents + card.byHand - used)
  expect(await rows(CARD, [decodeId('gift_cards', shop.card)])).toEqual([
    { status: card.status, balance: card.balance, initial: terms.cardCents, byHand: card.byHand, used },
  ])
  const reserved = reservedOf(model)
  expect(await rows(STOCK, [])).toEqual(
    [0, 1].map((at) => ({
      sku: at === 0 ? 'SKU-A' : 'SKU-B',
      quantity: model.stock[at],
      reserved: reserved[at],
    })),
  )
  expect(await rows(MADE, [])).toEqual(expectedMade(model))
  const { next = null } = subscription ?? {}
  const running = {
    status: next === null ? 'cancelled' : 'active',
    next: next === null ? null : new Date(next),
    errors: 0,
  }
  expect(await rows(SUBSCRIPTIONS, [])).toEqual(subscription === undefined ? [] : [running])
}
