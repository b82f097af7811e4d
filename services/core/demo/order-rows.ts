/** Drawn orders → rows, each column next to what it is filled with. */
import type { CopyRow, CopyValue } from '../src/engine/database/bulk-load.ts'
import type { DrawnLine, DrawnOrder } from './drawn-order.ts'
import { COUNTRIES } from './people.ts'

export type Columns<T> = Readonly<Record<string, (source: T) => CopyValue>>

/** The row of a source, in the order of the columns. */
export const toRow = <T>(columns: Columns<T>): ((source: T) => CopyRow) => {
  const values = Object.values(columns)
  return (source) => values.map((value) => value(source))
}

/** An order with the numbers it is stored under. */
export interface NumberedOrder {
  readonly environmentId: number
  readonly id: number
  readonly number: string
  readonly order: DrawnOrder
  readonly shipmentId: number | null
}

export interface NumberedLine {
  readonly environmentId: number
  readonly id: number
  readonly orderId: number
  readonly itemId: number | null
  readonly line: DrawnLine
  readonly order: DrawnOrder
}

export interface NumberedShipment {
  readonly environmentId: number
  readonly id: number
  readonly orderId: number
  readonly number: string
  readonly order: DrawnOrder
}

/** 22_000_000 → "0.22000000" */
const rateText = (rate: number): string => (rate / 100_000_000).toFixed(8)

export const goodsOf = ({ lines }: DrawnOrder): readonly DrawnLine[] =>
  lines.filter(({ item }) => item.type === 'skus')

const countryOf = ({ buyer, market }: DrawnOrder): string =>
  buyer?.country_code ?? market.blueprint.countries[0]?.[0] ?? ''

/** The category of what is in the shipment, if all of it has the same. */
const categoryOf = (order: DrawnOrder): number | null => {
  const categories = new Set(
    goodsOf(order).map(({ item }) => ('offer' in item ? item.offer.shipping_category_id : null)),
  )
  const [only = null] = categories
  return categories.size === 1 ? only : null
}

/** Of orders. */
export const orderColumns: Columns<NumberedOrder> = {
  id: (n) => n.id,
  environment_id: (n) => n.environmentId,
  number: (n) => n.number,
  market_id: (n) => n.order.market.id,
  customer_id: (n) => n.order.buyer?.id,
  store_id: (n) => n.order.store?.id,
  shipping_address_id: (n) => n.order.buyer?.address_id,
  billing_address_id: (n) => n.order.buyer?.address_id,
  payment_method_id: (n) => n.order.paymentMethod?.id,
  status: (n) => n.order.progress.status,
  payment_status: (n) => n.order.progress.paymentStatus,
  fulfillment_status: (n) => n.order.progress.fulfillmentStatus,
  guest: (n) => n.order.isGuest,
  customer_email: (n) => n.order.buyer?.email,
  customer_type: (n) =>
    n.order.progress.placedAt === null ? null : n.order.isReturning ? 'returning' : 'new',
  language_code: (n) => COUNTRIES[countryOf(n.order)]?.language ?? 'en',
  currency_code: (n) => n.order.market.blueprint.currency,
  tax_included: (n) => n.order.market.blueprint.taxIncluded,
  tax_rate: (n) => rateText(Math.max(0, ...n.order.lines.map(({ taxRate }) => taxRate))),
  freight_taxable: (n) => n.order.market.blueprint.freightTaxable,
  payment_method_taxable: (n) => n.order.market.blueprint.freightTaxable,
  country_code: (n) => n.order.buyer?.country_code,
  coupon_code: (n) => n.order.couponCode,
  gift_card_code: (n) => n.order.giftCardCode,
  affiliate_code: (n) => n.order.affiliateCode,
  subtotal_amount_cents: (n) => n.order.totals.subtotal,
  shipping_amount_cents: (n) => n.order.totals.shipping,
  payment_method_amount_cents: (n) => n.order.totals.paymentMethod,
  discount_amount_cents: (n) => n.order.totals.discount,
  adjustment_amount_cents: (n) => n.order.totals.adjustment,
  gift_card_amount_cents: (n) => n.order.totals.giftCard,
  total_tax_amount_cents: (n) => n.order.totals.totalTax,
  subtotal_tax_amount_cents: (n) => n.order.totals.subtotalTax,
  shipping_tax_amount_cents: (n) => n.order.totals.shippingTax,
  payment_method_tax_amount_cents: (n) => n.order.totals.paymentMethodTax,
  adjustment_tax_amount_cents: (n) => n.order.totals.adjustmentTax,
  total_amount_cents: (n) => n.order.totals.total,
  total_taxable_amount_cents: (n) => n.order.totals.totalTaxable,
  subtotal_taxable_amount_cents: (n) => n.order.totals.subtotalTaxable,
  shipping_taxable_amount_cents: (n) => n.order.totals.shippingTaxable,
  payment_method_taxable_amount_cents: (n) => n.order.totals.paymentMethodTaxable,
  adjustment_taxable_amount_cents: (n) => n.order.totals.adjustmentTaxable,
  total_amount_with_taxes_cents: (n) => n.order.totals.totalWithTaxes,
  place_total_amount_cents: (n) =>
    n.order.progress.placedAt === null ? null : n.order.totals.totalWithTaxes,
  skus_count: (n) => goodsOf(n.order).reduce((sum, { quantity }) => sum + quantity, 0),
  line_item_options_count: (n) => n.order.lines.reduce((sum, { options }) => sum + options.length, 0),
  shipments_count: (n) => (n.order.shipping === null ? 0 : 1),
  errors_count: (n) => n.order.errors.length,
  payment_source_details: (n) =>
    n.order.paymentInstrument === null
      ? null
      : { type: n.order.paymentMethod?.payment_source_type, payment_instrument: n.order.paymentInstrument },
  cart_url: () => 'https://shop.example.com/cart',
  return_url: () => 'https://shop.example.com/thank-you',
  placed_at: (n) => n.order.progress.placedAt,
  approved_at: (n) => n.order.progress.approvedAt,
  cancelled_at: (n) => n.order.progress.cancelledAt,
  archived_at: (n) => n.order.progress.archivedAt,
  payment_updated_at: (n) => n.order.progress.paymentUpdatedAt,
  fulfillment_updated_at: (n) => n.order.progress.fulfillmentUpdatedAt,
  reference: (n) => n.order.reference,
  reference_origin: (n) => (n.order.reference === null ? null : 'erp'),
  created_at: (n) => n.order.createdAt,
  updated_at: (n) => n.order.progress.updatedAt,
}

/** How much of a line came back and is in stock again. */
const restockedOf = ({ line, order }: NumberedLine): number => {
  const { restockedAt = null, lines = [] } = order.goodsReturned ?? {}
  if (restockedAt === null) return 0
  const position = goodsOf(order).indexOf(line)
  return lines.reduce((sum, { good, quantity }) => (good === position ? sum + quantity : sum), 0)
}

/** Of line_items. */
export const lineColumns: Columns<NumberedLine> = {
  id: (l) => l.id,
  environment_id: (l) => l.environmentId,
  order_id: (l) => l.orderId,
  item_type: (l) => l.line.item.type,
  item_id: (l) => l.itemId,
  sku_code: (l) => ('offer' in l.line.item ? l.line.item.offer.code : null),
  image_url: (l) => ('offer' in l.line.item ? l.line.item.offer.image_url : null),
  name: (l) => l.line.name,
  quantity: (l) => l.line.quantity,
  currency_code: (l) => l.order.market.blueprint.currency,
  unit_amount_cents: (l) => l.line.unitCents,
  options_amount_cents: (l) => l.line.optionsCents,
  total_amount_cents: (l) => l.line.totalCents,
  discount_cents: (l) => l.line.discountCents,
  tax_amount_cents: (l) => l.line.taxCents,
  tax_rate: (l) => rateText(l.line.taxRate),
  discount_breakdown: (l) => l.line.discountBreakdown,
  coupon_code: (l) => l.line.couponCode,
  restocked_quantity: (l) => restockedOf(l),
  created_at: (l) => l.order.createdAt,
  updated_at: (l) => l.order.progress.placedAt ?? l.order.createdAt,
}

/** Of shipments. */
export const shipmentColumns: Columns<NumberedShipment> = {
  id: (s) => s.id,
  environment_id: (s) => s.environmentId,
  order_id: (s) => s.orderId,
  number: (s) => `#${s.number}/S/001`,
  status: (s) => s.order.progress.shipment.status,
  currency_code: (s) => s.order.market.blueprint.currency,
  cost_amount_cents: (s) => s.order.totals.shipping,
  skus_count: (s) => goodsOf(s.order).reduce((sum, { quantity }) => sum + quantity, 0),
  stock_location_id: (s) => s.order.shipping?.stockLocationId,
  shipping_method_id: (s) => s.order.shipping?.method?.id,
  shipping_category_id: (s) => categoryOf(s.order),
  shipping_address_id: (s) => s.order.buyer?.address_id,
  on_hold_at: (s) => s.order.progress.shipment.onHoldAt,
  picking_at: (s) => s.order.progress.shipment.pickingAt,
  packing_at: (s) => s.order.progress.shipment.packingAt,
  ready_to_ship_at: (s) => s.order.progress.shipment.readyToShipAt,
  shipped_at: (s) => s.order.progress.shipment.shippedAt,
  delivered_at: (s) => s.order.progress.shipment.deliveredAt,
  cancelled_at: (s) => s.order.progress.shipment.cancelledAt,
  created_at: (s) => s.order.createdAt,
  updated_at: (s) => s.order.progress.updatedAt,
}
