/** What holds of all orders, whatever was sent: each law returns what breaks it. Pure. */
import type { Books, LineRow, OrderRow, TransactionRow } from './books.ts'

/** Orders whose stock somebody moved by hand; nothing is known of how much of it they hold. */
export type ByHand = ReadonlySet<number>

type Law = (books: Books, byHand: ByHand) => readonly string[]

const CART: readonly string[] = ['draft', 'pending', 'placing']
const PAYMENTS: Readonly<Record<string, readonly string[]>> = {
  draft: ['unpaid', 'authorized', 'partially_authorized'],
  pending: ['unpaid', 'authorized', 'partially_authorized'],
  placing: ['unpaid', 'authorized', 'partially_authorized'],
  placed: ['authorized', 'paid', 'partially_refunded', 'partially_voided', 'free'],
  editing: ['authorized', 'paid', 'partially_refunded', 'partially_voided', 'free'],
  approved: ['authorized', 'partially_voided', 'partially_paid', 'paid', 'partially_refunded', 'free'],
  cancelled: ['unpaid', 'voided', 'refunded', 'free'],
}

/** Fulfillments that may go with a status (lifecycles.md 1.1). */
const FULFILLMENTS: Readonly<Record<string, readonly string[]>> = {
  draft: ['unfulfilled'],
  pending: ['unfulfilled'],
  placing: ['unfulfilled'],
  placed: ['unfulfilled', 'not_required'],
  editing: ['unfulfilled', 'not_required'],
  approved: ['unfulfilled', 'not_required', 'in_progress', 'fulfilled'],
  cancelled: ['unfulfilled', 'not_required', 'fulfilled'],
}

const jointStates: Law = ({ orders }) =>
  orders.flatMap(({ id, status, payment_status: payment, fulfillment_status: fulfillment }) => {
    const isKnown = PAYMENTS[status]?.includes(payment) && FULFILLMENTS[status]?.includes(fulfillment)
    const isFulfilledUnpaid = fulfillment === 'fulfilled' && status === 'cancelled' && payment !== 'refunded'
    return isKnown && !isFulfilledUnpaid ? [] : [`order ${id} is ${status} ${payment} ${fulfillment}`]
  })

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const succeededOf = (rows: readonly TransactionRow[], type: string): readonly TransactionRow[] =>
  rows.filter((row) => row.type === type && row.succeeded)

const amountOf = (rows: readonly TransactionRow[]): number => sum(rows.map((row) => row.amount_cents))

/** What the transactions of an order come to. */
export const moneyOf = ({ transactions }: Books, order: number) => {
  const rows = transactions.filter(({ order_id: of }) => of === order)
  const captured = amountOf(succeededOf(rows, 'captures'))
  return {
    open: amountOf(succeededOf(rows, 'authorizations')) - captured - amountOf(succeededOf(rows, 'voids')),
    captured,
    received: captured - amountOf(succeededOf(rows, 'refunds')),
  }
}

type Money = ReturnType<typeof moneyOf>

const balances: Law = ({ transactions }) => {
  const used = (types: readonly string[], origin: number): number =>
    amountOf(
      transactions.filter(
        (row) =>
          row.succeeded &&
          types.includes(row.type) &&
          (row.type === 'refunds' ? row.reference_capture_id : row.reference_authorization_id) === origin,
      ),
    )
  return transactions.flatMap((row) => {
    const sums = [
      ['captures', row.capture_amount_cents],
      ['voids', row.void_amount_cents],
      ['refunds', row.refund_amount_cents],
    ] as const
    return [
      ...sums
        .filter(([type, stored]) => used([type], row.id) !== stored)
        .map(([type, stored]) => `${row.type} ${row.id} counts ${stored} of ${type}`),
      ...(used(['captures', 'voids', 'refunds'], row.id) > row.amount_cents
        ? [`${row.type} ${row.id}: more was moved than its amount`]
        : []),
    ]
  })
}

/** What a payment status says of the money. `due` is what the order costs. */
const PAYS: Readonly<Record<string, (money: Money, due: number, isCart: boolean) => boolean>> = {
  unpaid: ({ open, received }) => open === 0 && received === 0,
  authorized: ({ open, captured }, due, isCart) => captured === 0 && (isCart ? open > 0 : open >= due),
  partially_authorized: ({ open, captured }) => captured === 0 && open > 0,
  partially_voided: ({ open, received }) => open > 0 && received === 0,
  voided: ({ open, received }) => open === 0 && received === 0,
  partially_paid: ({ captured, received }, due) => received > 0 && captured < due,
  paid: ({ captured, received }, due) => captured >= due && received === captured && captured > 0,
  partially_refunded: ({ captured, received }, due) => received > 0 && received < captured && captured >= due,
  refunded: ({ open, captured, received }) => open === 0 && captured > 0 && received === 0,
  free: ({ open, captured }) => open === 0 && captured === 0,
}

const payments: Law = (books) =>
  books.orders.flatMap((order) => {
    const { id, status, payment_status: payment, total_amount_with_taxes_cents: due } = order
    const money = moneyOf(books, id)
    const isFreeUnlessEdited = payment !== 'free' || status === 'editing' || due === 0
    // While it is edited it may cost more than it has authorized; then editing does not stop.
    const placed = order.place_total_amount_cents
    const owed = status === 'editing' ? Math.min(due, placed ?? due) : due
    const holds = PAYS[payment]?.(money, owed, CART.includes(status)) === true && isFreeUnlessEdited
    const isOvercharged = placed !== null && status !== 'cancelled' && money.captured > placed
    return [
      ...(holds ? [] : [`order ${id} is ${status} ${payment} of ${due} with ${JSON.stringify(money)}`]),
      ...(isOvercharged ? [`order ${id} captured ${money.captured} of ${placed}`] : []),
    ]
  })

const stock: Law = ({ stock_items: items, reserved_stocks: counters, stock_reservations: reservations }) => [
  ...items.filter(({ quantity }) => quantity < 0).map(({ id }) => `stock item ${id} is negative`),
  ...counters.flatMap(({ id, stock_item_id: item, quantity }) => {
    const of = reservations.filter((row) => row.stock_item_id === item)
    const there = items.find((row) => row.id === item)?.quantity ?? 0
    return [
      ...(sum(of.map((row) => row.quantity)) === quantity ? [] : [`reserved stock ${id} counts ${quantity}`]),
      ...(quantity <= there ? [] : [`of stock item ${item} ${quantity} are promised, ${there} are there`]),
    ]
  }),
  ...reservations
    .filter((row) => !counters.some(({ stock_item_id: item }) => item === row.stock_item_id))
    .map(({ id }) => `reservation ${id} is not counted`),
]

const isOpen = (status: string): boolean => !['completed', 'cancelled'].includes(status)

/** What placed and approved orders hold is what they sold; a cancelled one holds nothing. */
const goods: Law = (books, byHand) =>
  books.orders.flatMap((order) => {
    const lines = books.line_items.filter(
      (row) => row.order_id === order.id && (row.item_type === 'skus' || row.item_type === 'bundles'),
    )
    if (order.status === 'cancelled') return heldByCancelled(books, order, lines)
    if (byHand.has(order.id)) return []
    if (order.status === 'placed')
      return lines.flatMap(({ id, quantity }) => {
        const held = sum(
          books.stock_reservations.filter((row) => row.line_item_id === id).map((row) => row.quantity),
        )
        return held === quantity
          ? []
          : [`line ${id} of placed order ${order.id} holds ${held} of ${quantity}`]
      })
    if (order.status === 'approved')
      return lines.flatMap(({ id, quantity }) => {
        const taken = takenOf(books, id)
        return taken === quantity
          ? []
          : [`line ${id} of approved order ${order.id} took ${taken} of ${quantity}`]
      })
    return books.stock_reservations
      .filter((row) => row.order_id === order.id && row.status !== 'draft' && order.status !== 'editing')
      .map((row) => `order ${order.id} is ${order.status} and has the ${row.status} reservation ${row.id}`)
  })

/** Taken out, on its way, or reserved until whoever packs it takes it out. */
const takenOf = (books: Books, line: number): number =>
  sum(books.stock_line_items.filter((row) => row.line_item_id === line).map((row) => row.quantity)) +
  sum(
    books.stock_transfers
      .filter((row) => row.line_item_id === line && isOpen(row.status))
      .map((row) => row.quantity),
  )

const stockOfOneOrder: Law = ({ shipments, line_items, stock_line_items, stock_transfers }) => {
  const orderOf = (rows: readonly { readonly id: number; readonly order_id: number }[], of: number | null) =>
    rows.find(({ id }) => id === of)?.order_id
  return [...stock_line_items, ...stock_transfers].flatMap((row) => {
    const [ofShipment, ofLine] = [orderOf(shipments, row.shipment_id), orderOf(line_items, row.line_item_id)]
    if (ofShipment === undefined || ofLine === undefined || ofShipment === ofLine) return []
    return [`stock ${row.id} is of the orders ${ofShipment} and ${ofLine}`]
  })
}

const LEFT: readonly string[] = ['shipped', 'delivered']

const heldByCancelled = (books: Books, order: OrderRow, lines: readonly LineRow[]): readonly string[] => {
  const ids = new Set(lines.map(({ id }) => id))
  const shipments = books.shipments.filter((row) => row.order_id === order.id)
  const left = new Set(shipments.filter(({ status }) => LEFT.includes(status)).map(({ id }) => id))
  // Refunded after the goods were handed over: they do not come back.
  const isHandedOver =
    order.payment_status === 'refunded' && ['fulfilled', 'not_required'].includes(order.fulfillment_status)
  return [
    ...books.stock_reservations
      .filter((row) => row.order_id === order.id || (row.line_item_id !== null && ids.has(row.line_item_id)))
      .map((row) => `cancelled order ${order.id} holds reservation ${row.id}`),
    ...books.stock_line_items
      .filter((row) => row.line_item_id !== null && ids.has(row.line_item_id))
      .filter((row) => row.decremented_at !== null && !left.has(row.shipment_id ?? 0) && !isHandedOver)
      .map((row) => `cancelled order ${order.id} keeps stock line ${row.id}`),
    ...books.stock_transfers
      .filter((row) => shipments.some(({ id }) => id === row.shipment_id) && isOpen(row.status))
      .map((row) => `cancelled order ${order.id} waits for transfer ${row.id}`),
    ...shipments
      .filter(({ status }) => !['shipped', 'delivered', 'cancelled'].includes(status))
      .map(({ id, status }) => `shipment ${id} of cancelled order ${order.id} is ${status}`),
  ]
}

const PART_OF: Readonly<Record<string, keyof OrderRow>> = {
  skus: 'subtotal_amount_cents',
  shipments: 'shipping_amount_cents',
  payment_methods: 'payment_method_amount_cents',
  adjustments: 'adjustment_amount_cents',
}

const PARTS = [
  'subtotal_amount_cents',
  'shipping_amount_cents',
  'payment_method_amount_cents',
  'discount_amount_cents',
  'adjustment_amount_cents',
  'gift_card_amount_cents',
] as const satisfies readonly (keyof OrderRow)[]

/** lifecycles.md 1.7 */
const totals: Law = ({ orders, line_items: lines }) =>
  orders.flatMap((order) => {
    const its = lines.filter((row) => row.order_id === order.id)
    const parts = Object.entries(PART_OF).flatMap(([type, column]) => {
      const total = sum(its.filter((row) => row.item_type === type).map((row) => row.total_amount_cents))
      return total === order[column] ? [] : [`${column} of order ${order.id} is not ${total}`]
    })
    const whole = Math.max(0, sum(PARTS.map((column) => order[column])))
    const withTaxes = order.total_amount_cents + (order.tax_included ? 0 : order.total_tax_amount_cents)
    return [
      ...parts,
      ...(whole === order.total_amount_cents ? [] : [`the total of order ${order.id} is not ${whole}`]),
      ...(withTaxes === order.total_amount_with_taxes_cents
        ? []
        : [`the total with taxes of order ${order.id} is not ${withTaxes}`]),
      ...its
        .filter(
          (row) => row.total_amount_cents !== row.unit_amount_cents * row.quantity + row.options_amount_cents,
        )
        .map((row) => `line ${row.id} is not the sum of its parts`),
    ]
  })

const LAWS: readonly Law[] = [jointStates, balances, payments, stock, stockOfOneOrder, goods, totals]

export const brokenLaws: Law = (books, byHand) => LAWS.flatMap((law) => law(books, byHand))

/** Units that are somewhere: in stock, or taken out for a shipment. */
export const unitsOf = ({ stock_items: items, stock_line_items: lines }: Books): number =>
  sum(items.map(({ quantity }) => quantity)) +
  sum(
    lines
      .filter((row) => row.decremented_at !== null && row.stock_item_id !== null)
      .map((row) => row.quantity),
  )
