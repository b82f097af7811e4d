/** An order document → the row of the orders table. Pure. */
import type {
  OrderAmounts,
  OrderDocument,
  OrderLineItem,
  OrderShipment,
} from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import { aggregatedDetails } from './aggregated-details.ts'
import {
  addressColumns,
  joinedColumns,
  listColumns,
  namedColumns,
  ownColumns,
  toRow,
  type Columns,
} from './columns.ts'
import { currentDate, secondsInApproved, secondsInDraft, secondsInPlaced } from './derived.ts'
import { lineForm } from './forms.ts'
import { dayOfWeek, secondsBetween } from './instants.ts'

const lineItems: Columns<OrderLineItem> = {
  id: ({ id }) => id,
  item_id: ({ item_id }) => item_id,
  item_type: ({ item_type }) => item_type,
  code: ({ code }) => code,
  name: ({ name }) => name,
  quantity: ({ quantity }) => quantity,
  unit_amount: (item, { money }) => money(item.unit_amount_cents),
  options_amount: (item, { money }) => money(item.options_amount_cents),
  total_amount: (item, { money }) => money(item.total_amount_cents),
  tax_amount: (item, { money }) => money(item.tax_amount_cents),
  discount: (item, { money }) => money(item.discount_cents),
  tax_rate: (item, { rate }) => rate(item.tax_rate),
  updated_at: ({ updated_at }, { instant }) => instant(updated_at),
  options_id: ({ options }) => options.map(({ id }) => id),
  options_name: ({ options }) => options.map(({ name }) => name),
  options_quantity: ({ options }) => options.map(({ quantity }) => quantity),
  options_unit_amount: ({ options }, { money }) => options.map((option) => money(option.unit_amount_cents)),
  options_total_amount: ({ options }, { money }) => options.map((option) => money(option.total_amount_cents)),
}

const shipments: Columns<OrderShipment> = {
  id: ({ id }) => id,
  number: ({ number }) => number,
  status: ({ status }) => status,
  reference: ({ reference }) => reference,
  reference_origin: ({ reference_origin }) => reference_origin,
  cost_amount: (shipment, { money }) => money(shipment.cost_amount_cents),
  items: ({ items }) => items,
  items_count: ({ items_count }) => items_count,
  created_at: (shipment, { instant }) => instant(shipment.created_at),
  updated_at: (shipment, { instant }) => instant(shipment.updated_at),
  on_hold_at: (shipment, { instantOrNull }) => instantOrNull(shipment.on_hold_at),
  picking_at: (shipment, { instantOrNull }) => instantOrNull(shipment.picking_at),
  packing_at: (shipment, { instantOrNull }) => instantOrNull(shipment.packing_at),
  ready_to_ship_at: (shipment, { instantOrNull }) => instantOrNull(shipment.ready_to_ship_at),
  shipped_at: (shipment, { instantOrNull }) => instantOrNull(shipment.shipped_at),
  delivered_at: (shipment, { instantOrNull }) => instantOrNull(shipment.delivered_at),
  cancelled_at: (shipment, { instantOrNull }) => instantOrNull(shipment.cancelled_at),
  // A shipment is in a state until the next state that it reached.
  seconds_in_picking: ({ picking_at, packing_at, ready_to_ship_at, shipped_at }) =>
    secondsBetween(picking_at, packing_at ?? ready_to_ship_at ?? shipped_at),
  seconds_in_ready_to_ship: ({ ready_to_ship_at, shipped_at }) =>
    secondsBetween(ready_to_ship_at, shipped_at),
  seconds_in_shipped: ({ shipped_at, delivered_at }) => secondsBetween(shipped_at, delivered_at),
  fulfillment_time: ({ created_at, shipped_at }) => secondsBetween(created_at, shipped_at),
  ...namedColumns('stock_location', ({ stock_location }) => stock_location),
  ...namedColumns('shipping_method', ({ shipping_method }) => shipping_method),
  ...namedColumns('shipping_category', ({ shipping_category }) => shipping_category),
  shipping_method_currency_code: ({ shipping_method }) => shipping_method?.currency_code ?? null,
  tags_id: ({ tags }) => tags.map(({ id }) => id),
  tags_name: ({ tags }) => tags.map(({ name }) => name),
}

const refundedCents = ({ refunds }: OrderDocument): number =>
  refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

const AMOUNTS = [
  'subtotal',
  'subtotal_tax',
  'subtotal_taxable',
  'shipping',
  'shipping_taxable',
  'payment_method',
  'payment_method_tax',
  'payment_method_taxable',
  'adjustment',
  'adjustment_tax',
  'adjustment_taxable',
  'discount',
  'gift_card',
  'duty',
  'total',
  'total_tax',
  'total_taxable',
] as const satisfies readonly (keyof OrderAmounts)[]

/** `subtotal` → `subtotal_amount`, `total_tax` → `total_tax_amount`. */
const amounts: Columns<OrderDocument> = {
  ...Object.fromEntries(
    AMOUNTS.map((name): [string, Columns<OrderDocument>[string]] => [
      `${name}_amount`,
      (document, { money }) => money(document.amounts[name]),
    ]),
  ),
  total_amount_with_taxes: (document, { money }) => money(document.amounts.total_with_taxes),
  refunds_total_amount_with_taxes: (document, { money }) => money(refundedCents(document)),
  total_amount_with_taxes_net_of_refunds: (document, { money }) =>
    money(document.amounts.total_with_taxes - refundedCents(document)),
}

const dates: Columns<OrderDocument> = {
  current_date: (document, { instant }) => instant(currentDate(document)),
  created_at: ({ created_at }, { instant }) => instant(created_at),
  updated_at: ({ updated_at }, { instant }) => instant(updated_at),
  placed_at: ({ placed_at }, { instantOrNull }) => instantOrNull(placed_at),
  approved_at: ({ approved_at }, { instantOrNull }) => instantOrNull(approved_at),
  cancelled_at: ({ cancelled_at }, { instantOrNull }) => instantOrNull(cancelled_at),
  archived_at: ({ archived_at }, { instantOrNull }) => instantOrNull(archived_at),
  payment_updated_at: ({ payment_updated_at }, { instantOrNull }) => instantOrNull(payment_updated_at),
  fulfillment_updated_at: ({ fulfillment_updated_at }, { instantOrNull }) =>
    instantOrNull(fulfillment_updated_at),
  placed_day_of_week: ({ placed_at }) => dayOfWeek(placed_at),
  seconds_in_draft: secondsInDraft,
  seconds_in_approved: secondsInApproved,
  seconds_in_placed: secondsInPlaced,
}

const flags: Columns<OrderDocument> = {
  guest: ({ guest }) => guest,
  tax_included: ({ tax_included }) => tax_included,
  freight_taxable: ({ freight_taxable }) => freight_taxable,
  returned: ({ returns }) => returns.length > 0,
  refunded: ({ refunds }) => refunds.length > 0,
  archived: ({ archived_at }) => archived_at !== null,
  discounted: (document) => document.amounts.discount !== 0,
  coupon: ({ coupon_code }) => coupon_code !== null,
  gift_card: ({ gift_card_code }) => gift_card_code !== null,
  options: ({ line_item_options_count }) => line_item_options_count > 0,
}

const parties: Columns<OrderDocument> = {
  market_id: ({ market }) => market.id,
  market_name: ({ market }) => market.name,
  market_number: ({ market }) => market.number,
  customer_id: ({ customer }) => customer?.id ?? null,
  customer_email: ({ customer }) => customer?.email ?? null,
  customer_group_name: ({ customer }) => customer?.group_name ?? null,
  customer_reference: ({ customer }) => customer?.reference ?? null,
  customer_reference_origin: ({ customer }) => customer?.reference_origin ?? null,
  ...addressColumns('billing_address', ({ billing_address }) => billing_address),
  billing_address_company: ({ billing_address: billing }) => billing?.company ?? null,
  billing_address_first_name: ({ billing_address: billing }) => billing?.first_name ?? null,
  billing_address_last_name: ({ billing_address: billing }) => billing?.last_name ?? null,
  ...addressColumns('shipping_address', ({ shipping_address }) => shipping_address),
  payment_method_id: ({ payment_method: payment }) => payment?.id ?? null,
  payment_method_name: ({ payment_method: payment }) => payment?.name ?? null,
  payment_method_source_type: ({ payment_method: payment }) => payment?.source_type ?? null,
  payment_method_moto: ({ payment_method: payment }) => payment?.moto ?? null,
  payment_method_issuer: ({ payment_method: payment }) => payment?.issuer ?? null,
  payment_method_issuer_type: ({ payment_method: payment }) => payment?.issuer_type ?? null,
  payment_method_card_type: ({ payment_method: payment }) => payment?.card_type ?? null,
}

const OWN = [
  'id',
  'number',
  'reference',
  'reference_origin',
  'status',
  'payment_status',
  'fulfillment_status',
  'currency_code',
  'language_code',
  'country_code',
  'coupon_code',
  'gift_card_code',
  'affiliate_code',
  'customer_type',
  'link_id',
  'user_id',
  'store_id',
  'skus_count',
  'line_item_options_count',
  'shipments_count',
] as const satisfies readonly (keyof OrderDocument)[]

const identity: Columns<OrderDocument> = {
  version: ({ version }) => version,
  is_deleted: () => 0,
  organization_id: ({ organization }) => organization.id,
  organization_name: ({ organization }) => organization.name,
  organization_slug: ({ organization }) => organization.slug,
  mode: ({ mode }) => mode,
  ...Object.fromEntries(
    OWN.map((name): [string, Columns<OrderDocument>[string]] => [name, (document) => document[name]]),
  ),
  aggregated_details: aggregatedDetails,
}

const columns = joinedColumns<OrderDocument>([
  ownColumns({ ...identity, ...amounts, ...dates, ...flags, ...parties }),
  listColumns('line_items', (document) => document.line_items, lineItems),
  listColumns('shipments', (document) => document.shipments, shipments),
  listColumns('refunds', (document) => document.refunds, {
    id: ({ id }) => id,
    number: ({ number }) => number,
    amount: (refund, { money }) => money(refund.amount_cents),
  }),
  listColumns('tags', (document) => document.tags, { id: ({ id }) => id, name: ({ name }) => name }),
  listColumns('resource_errors', (document) => document.resource_errors, {
    id: ({ id }) => id,
    code: ({ code }) => code,
    name: ({ name }) => name,
    message: ({ message }) => message,
    created_at: (error, { instant }) => instant(error.created_at),
    updated_at: (error, { instant }) => instant(error.updated_at),
  }),
])

/** Every column that the ingest writes. */
export const ORDER_COLUMNS: readonly string[] = columns.names

/** The values of the columns as lines have them, in their order. */
export const toValuesOrder = (document: OrderDocument): readonly unknown[] =>
  columns.valuesOf(document, lineForm(document.minor_unit_digits))

/** The same by name. */
export const toRowOrder = (document: OrderDocument): Row => toRow(ORDER_COLUMNS, toValuesOrder(document))
