/** An order document → the row of the orders table. Amounts become decimal text; nothing is computed in binary fractions. */
import type { OrderDocument, OrderLineItem, OrderNamed, OrderShipment } from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import { aggregatedDetails } from './aggregated-details.ts'
import { toAddress, toColumns, toDecimal, toInstant, toInstantOrNull } from './columns.ts'
import { currentDate, dayOfWeek, orderDurations, shipmentDurations } from './derived.ts'

const named = <T>(prefix: string, of: (item: T) => OrderNamed | null) => ({
  [`${prefix}_id`]: (item: T) => of(item)?.id ?? null,
  [`${prefix}_name`]: (item: T) => of(item)?.name ?? null,
  [`${prefix}_reference`]: (item: T) => of(item)?.reference ?? null,
  [`${prefix}_reference_origin`]: (item: T) => of(item)?.reference_origin ?? null,
})

const toLineItems = (items: readonly OrderLineItem[], money: (cents: number) => string): Row =>
  toColumns('line_items', items, {
    id: ({ id }) => id,
    item_id: ({ item_id }) => item_id,
    item_type: ({ item_type }) => item_type,
    code: ({ code }) => code,
    name: ({ name }) => name,
    quantity: ({ quantity }) => quantity,
    unit_amount: (item) => money(item.unit_amount_cents),
    options_amount: (item) => money(item.options_amount_cents),
    total_amount: (item) => money(item.total_amount_cents),
    tax_amount: (item) => money(item.tax_amount_cents),
    discount: (item) => money(item.discount_cents),
    tax_rate: ({ tax_rate }) => tax_rate,
    updated_at: ({ updated_at }) => toInstant(updated_at),
    options_id: ({ options }) => options.map(({ id }) => id),
    options_name: ({ options }) => options.map(({ name }) => name),
    options_quantity: ({ options }) => options.map(({ quantity }) => quantity),
    options_unit_amount: ({ options }) => options.map((option) => money(option.unit_amount_cents)),
    options_total_amount: ({ options }) => options.map((option) => money(option.total_amount_cents)),
  })

const toShipments = (shipments: readonly OrderShipment[], money: (cents: number) => string): Row =>
  toColumns('shipments', shipments, {
    id: ({ id }) => id,
    number: ({ number }) => number,
    status: ({ status }) => status,
    reference: ({ reference }) => reference,
    reference_origin: ({ reference_origin }) => reference_origin,
    cost_amount: (shipment) => money(shipment.cost_amount_cents),
    items: ({ items }) => items,
    items_count: ({ items_count }) => items_count,
    created_at: (shipment) => toInstant(shipment.created_at),
    updated_at: (shipment) => toInstant(shipment.updated_at),
    on_hold_at: (shipment) => toInstantOrNull(shipment.on_hold_at),
    picking_at: (shipment) => toInstantOrNull(shipment.picking_at),
    packing_at: (shipment) => toInstantOrNull(shipment.packing_at),
    ready_to_ship_at: (shipment) => toInstantOrNull(shipment.ready_to_ship_at),
    shipped_at: (shipment) => toInstantOrNull(shipment.shipped_at),
    delivered_at: (shipment) => toInstantOrNull(shipment.delivered_at),
    cancelled_at: (shipment) => toInstantOrNull(shipment.cancelled_at),
    seconds_in_picking: (shipment) => shipmentDurations(shipment).seconds_in_picking,
    seconds_in_ready_to_ship: (shipment) => shipmentDurations(shipment).seconds_in_ready_to_ship,
    seconds_in_shipped: (shipment) => shipmentDurations(shipment).seconds_in_shipped,
    fulfillment_time: (shipment) => shipmentDurations(shipment).fulfillment_time,
    ...named<OrderShipment>('stock_location', ({ stock_location }) => stock_location),
    ...named<OrderShipment>('shipping_method', ({ shipping_method }) => shipping_method),
    ...named<OrderShipment>('shipping_category', ({ shipping_category }) => shipping_category),
    shipping_method_currency_code: ({ shipping_method }) => shipping_method?.currency_code ?? null,
    tags_id: ({ tags }) => tags.map(({ id }) => id),
    tags_name: ({ tags }) => tags.map(({ name }) => name),
  })

const toAmounts = (document: OrderDocument, money: (cents: number) => string): Row => {
  const { total_with_taxes: totalWithTaxes, ...amounts } = document.amounts
  const refunded = document.refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  return {
    ...Object.fromEntries(
      Object.entries(amounts).map(([name, cents]: [string, number]) => [amountColumn(name), money(cents)]),
    ),
    total_amount_with_taxes: money(totalWithTaxes),
    refunds_total_amount_with_taxes: money(refunded),
    total_amount_with_taxes_net_of_refunds: money(totalWithTaxes - refunded),
  }
}

/** `subtotal` → `subtotal_amount`, `total_tax` → `total_tax_amount`. */
const amountColumn = (name: string): string => `${name}_amount`

const toDates = (document: OrderDocument): Row => ({
  current_date: toInstant(currentDate(document)),
  created_at: toInstant(document.created_at),
  updated_at: toInstant(document.updated_at),
  placed_at: toInstantOrNull(document.placed_at),
  approved_at: toInstantOrNull(document.approved_at),
  cancelled_at: toInstantOrNull(document.cancelled_at),
  archived_at: toInstantOrNull(document.archived_at),
  payment_updated_at: toInstantOrNull(document.payment_updated_at),
  fulfillment_updated_at: toInstantOrNull(document.fulfillment_updated_at),
  placed_day_of_week: dayOfWeek(document.placed_at),
  ...orderDurations(document),
})

const toFlags = (document: OrderDocument): Row => ({
  guest: document.guest,
  tax_included: document.tax_included,
  freight_taxable: document.freight_taxable,
  returned: document.returns.length > 0,
  refunded: document.refunds.length > 0,
  archived: document.archived_at !== null,
  discounted: document.amounts.discount !== 0,
  coupon: document.coupon_code !== null,
  gift_card: document.gift_card_code !== null,
  options: document.line_item_options_count > 0,
})

const toParties = (document: OrderDocument): Row => {
  const { market, customer, payment_method: payment, billing_address: billing } = document
  return {
    market_id: market.id,
    market_name: market.name,
    market_number: market.number,
    customer_id: customer?.id ?? null,
    customer_email: customer?.email ?? null,
    customer_group_name: customer?.group_name ?? null,
    customer_reference: customer?.reference ?? null,
    customer_reference_origin: customer?.reference_origin ?? null,
    ...toAddress('billing_address', billing),
    billing_address_company: billing?.company ?? null,
    billing_address_first_name: billing?.first_name ?? null,
    billing_address_last_name: billing?.last_name ?? null,
    ...toAddress('shipping_address', document.shipping_address),
    payment_method_id: payment?.id ?? null,
    payment_method_name: payment?.name ?? null,
    payment_method_source_type: payment?.source_type ?? null,
    payment_method_moto: payment?.moto ?? null,
    payment_method_issuer: payment?.issuer ?? null,
    payment_method_issuer_type: payment?.issuer_type ?? null,
    payment_method_card_type: payment?.card_type ?? null,
  }
}

const toIdentity = (document: OrderDocument): Row => ({
  version: document.version,
  is_deleted: 0,
  organization_id: document.organization.id,
  organization_name: document.organization.name,
  organization_slug: document.organization.slug,
  mode: document.mode,
  id: document.id,
  number: document.number,
  reference: document.reference,
  reference_origin: document.reference_origin,
  status: document.status,
  payment_status: document.payment_status,
  fulfillment_status: document.fulfillment_status,
  currency_code: document.currency_code,
  language_code: document.language_code,
  country_code: document.country_code,
  coupon_code: document.coupon_code,
  gift_card_code: document.gift_card_code,
  affiliate_code: document.affiliate_code,
  customer_type: document.customer_type,
  link_id: document.link_id,
  user_id: document.user_id,
  store_id: document.store_id,
  skus_count: document.skus_count,
  line_item_options_count: document.line_item_options_count,
  shipments_count: document.shipments_count,
  aggregated_details: aggregatedDetails(document),
})

/** Every column of the orders table, from one document. */
export const toRowOrder = (document: OrderDocument): Row => {
  const money = (cents: number): string => toDecimal(cents, document.minor_unit_digits)
  return {
    ...toIdentity(document),
    ...toAmounts(document, money),
    ...toDates(document),
    ...toFlags(document),
    ...toParties(document),
    ...toLineItems(document.line_items, money),
    ...toShipments(document.shipments, money),
    ...toColumns('refunds', document.refunds, {
      id: ({ id }) => id,
      number: ({ number }) => number,
      amount: (refund) => money(refund.amount_cents),
    }),
    ...toColumns('tags', document.tags, { id: ({ id }) => id, name: ({ name }) => name }),
    ...toColumns('resource_errors', document.resource_errors, {
      id: ({ id }) => id,
      code: ({ code }) => code,
      name: ({ name }) => name,
      message: ({ message }) => message,
      created_at: (error) => toInstant(error.created_at),
      updated_at: (error) => toInstant(error.updated_at),
    }),
  }
}
