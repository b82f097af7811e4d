/** An order document → the row of the orders table. Pure. */
import type { OrderDocument, OrderShipment } from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import { aggregatedDetails } from './aggregated-details.ts'
import { joinedColumns, listColumns, ownColumns, readersOf, toRow, type Columns } from './columns.ts'
import { currentDate, secondsInApproved, secondsInDraft, secondsInPlaced } from './derived.ts'
import { toDecimal, toInstant } from './forms.ts'
import { dayOfWeek, secondsBetween } from './instants.ts'
import { TABLE_COLUMNS } from './order-columns.ts'

// A shipment is in a state until the next state that it reached.
const shipmentTimes: Columns<OrderShipment> = {
  seconds_in_picking: ({ picking_at, packing_at, ready_to_ship_at, shipped_at }) =>
    secondsBetween(picking_at, packing_at ?? ready_to_ship_at ?? shipped_at),
  seconds_in_ready_to_ship: ({ ready_to_ship_at, shipped_at }) =>
    secondsBetween(ready_to_ship_at, shipped_at),
  seconds_in_shipped: ({ shipped_at, delivered_at }) => secondsBetween(shipped_at, delivered_at),
  fulfillment_time: ({ created_at, shipped_at }) => secondsBetween(created_at, shipped_at),
}

const refundedCents = ({ refunds }: OrderDocument): number =>
  refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

const amounts: Columns<OrderDocument> = {
  refunds_total_amount_with_taxes: (document, digits) => toDecimal(refundedCents(document), digits),
  total_amount_with_taxes_net_of_refunds: (document, digits) =>
    toDecimal(document.amounts.total_with_taxes - refundedCents(document), digits),
}

const dates: Columns<OrderDocument> = {
  current_date: (document) => toInstant(currentDate(document)),
  placed_day_of_week: ({ placed_at }) => dayOfWeek(placed_at),
  seconds_in_draft: secondsInDraft,
  seconds_in_approved: secondsInApproved,
  seconds_in_placed: secondsInPlaced,
}

const flags: Columns<OrderDocument> = {
  is_deleted: () => 0,
  returned: ({ returns }) => returns.length > 0,
  refunded: ({ refunds }) => refunds.length > 0,
  archived: ({ archived_at }) => archived_at !== null,
  discounted: (document) => document.amounts.discount !== 0,
  coupon: ({ coupon_code }) => coupon_code !== null,
  gift_card: ({ gift_card_code }) => gift_card_code !== null,
  options: ({ line_item_options_count }) => line_item_options_count > 0,
}

const { own, lists } = TABLE_COLUMNS.orders

const columns = joinedColumns<OrderDocument>([
  ownColumns<OrderDocument>({
    ...readersOf(own),
    aggregated_details: aggregatedDetails,
    ...amounts,
    ...dates,
    ...flags,
  }),
  listColumns('line_items', ({ line_items: items }) => items, readersOf(lists.line_items)),
  listColumns('shipments', ({ shipments }) => shipments, { ...readersOf(lists.shipments), ...shipmentTimes }),
  listColumns('refunds', ({ refunds }) => refunds, readersOf(lists.refunds)),
  listColumns('tags', ({ tags }) => tags, readersOf(lists.tags)),
  listColumns('resource_errors', ({ resource_errors: errors }) => errors, readersOf(lists.resource_errors)),
])

/** Every column that the ingest writes. */
export const ORDER_COLUMNS: readonly string[] = columns.names

/** The values of the columns as lines have them, in their order. */
export const toValuesOrder = (document: OrderDocument): readonly unknown[] =>
  columns.valuesOf(document, document.minor_unit_digits)

/** The same by name. */
export const toRowOrder = (document: OrderDocument): Row => toRow(ORDER_COLUMNS, toValuesOrder(document))
