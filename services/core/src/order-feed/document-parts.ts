/** Rows → parts of the order document. Pure; numbers become public ids, dates become ISO 8601 here. */
import { minorDigitsOf } from '@merx/jsonapi/money'
import type { PublicIds } from '@merx/jsonapi/public-id'
import { ORDER_DOCUMENT_SCHEMA } from '@merx/order-feed/order-document'
import type {
  OrderAddress,
  OrderAmounts,
  OrderBillingAddress,
  OrderCustomer,
  OrderDocument,
  OrderLineItem,
  OrderNamed,
  OrderPaymentMethod,
  OrderResourceError,
  OrderShipment,
  OrderTag,
} from '@merx/order-feed/order-document'
import type {
  AddressRow,
  AmountColumns,
  LineItemRow,
  OptionRow,
  OrderRow,
  RefundRow,
  ResourceErrorRow,
  ShipmentRow,
  TagRow,
} from './document-rows.ts'

export interface DocumentParts {
  readonly lineItems: readonly OrderLineItem[]
  readonly shipments: readonly OrderShipment[]
  readonly refunds: OrderDocument['refunds']
  readonly returns: OrderDocument['returns']
  readonly tags: readonly OrderTag[]
  readonly resourceErrors: readonly OrderResourceError[]
}

/** PostgreSQL has instants that are none here, such as infinity: the reader sets that order apart, and the page goes on. */
export const isoOf = (instant: Date): string =>
  Number.isFinite(Number(instant)) ? instant.toISOString() : String(instant)
export const isoOrNull = (instant: Date | null): string | null => (instant === null ? null : isoOf(instant))
const idOrNull = (ids: PublicIds, type: string, number: number | null): string | null =>
  number === null ? null : ids.encode(type, number)

export const toDocument = (ids: PublicIds, row: OrderRow, parts: DocumentParts): OrderDocument => ({
  schema: ORDER_DOCUMENT_SCHEMA,
  organization: { id: row.organization_id, slug: row.organization_slug, name: row.organization_name },
  mode: row.mode,
  id: ids.encode('orders', row.id),
  version: row.version,
  number: row.number,
  reference: row.reference,
  reference_origin: row.reference_origin,
  status: row.status,
  payment_status: row.payment_status,
  fulfillment_status: row.fulfillment_status,
  currency_code: row.currency_code,
  minor_unit_digits: minorDigitsOf(row.currency_code),
  language_code: row.language_code,
  country_code: row.country_code,
  coupon_code: row.coupon_code,
  gift_card_code: row.gift_card_code,
  affiliate_code: row.affiliate_code,
  customer_type: row.customer_type,
  guest: row.guest,
  tax_included: row.tax_included,
  freight_taxable: row.freight_taxable,
  link_id: row.link_id,
  user_id: row.user_id,
  store_id: idOrNull(ids, 'stores', row.store_id),
  amounts: toAmounts(row),
  skus_count: row.skus_count,
  line_item_options_count: row.line_item_options_count,
  shipments_count: row.shipments_count,
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
  placed_at: isoOrNull(row.placed_at),
  approved_at: isoOrNull(row.approved_at),
  cancelled_at: isoOrNull(row.cancelled_at),
  archived_at: isoOrNull(row.archived_at),
  payment_updated_at: isoOrNull(row.payment_updated_at),
  fulfillment_updated_at: isoOrNull(row.fulfillment_updated_at),
  market: { id: ids.encode('markets', row.market_id), name: row.market_name, number: row.market_number },
  customer: toCustomer(ids, row),
  billing_address: row.billing_address === null ? null : toBillingAddress(row.billing_address),
  shipping_address: row.shipping_address === null ? null : toAddress(row.shipping_address),
  payment_method: toPaymentMethod(ids, row),
  line_items: parts.lineItems,
  shipments: parts.shipments,
  refunds: parts.refunds,
  returns: parts.returns,
  tags: parts.tags,
  resource_errors: parts.resourceErrors,
})

const toAmounts = (row: AmountColumns): OrderAmounts => ({
  subtotal: row.subtotal_amount_cents,
  subtotal_tax: row.subtotal_tax_amount_cents,
  subtotal_taxable: row.subtotal_taxable_amount_cents,
  shipping: row.shipping_amount_cents,
  shipping_taxable: row.shipping_taxable_amount_cents,
  payment_method: row.payment_method_amount_cents,
  payment_method_tax: row.payment_method_tax_amount_cents,
  payment_method_taxable: row.payment_method_taxable_amount_cents,
  adjustment: row.adjustment_amount_cents,
  adjustment_tax: row.adjustment_tax_amount_cents,
  adjustment_taxable: row.adjustment_taxable_amount_cents,
  discount: row.discount_amount_cents,
  gift_card: row.gift_card_amount_cents,
  duty: row.duty_amount_cents,
  total: row.total_amount_cents,
  total_tax: row.total_tax_amount_cents,
  total_taxable: row.total_taxable_amount_cents,
  total_with_taxes: row.total_amount_with_taxes_cents,
})

const toCustomer = (ids: PublicIds, row: OrderRow): OrderCustomer | null =>
  row.customer_id === null || row.buyer_email === null
    ? null
    : {
        id: ids.encode('customers', row.customer_id),
        email: row.buyer_email,
        group_name: row.buyer_group_name,
        reference: row.buyer_reference,
        reference_origin: row.buyer_reference_origin,
      }

export const toAddress = (row: AddressRow): OrderAddress => ({
  business: row.business,
  city: row.city,
  country_code: row.country_code,
  state_code: row.state_code,
  zip_code: row.zip_code,
  geocoded: row.is_geocoded,
  localized: row.lat !== null && row.lng !== null,
})

const toBillingAddress = (row: AddressRow): OrderBillingAddress => ({
  ...toAddress(row),
  company: row.company,
  first_name: row.first_name,
  last_name: row.last_name,
})

const toPaymentMethod = (ids: PublicIds, row: OrderRow): OrderPaymentMethod | null =>
  row.payment_method_id === null
    ? null
    : {
        id: ids.encode('payment_methods', row.payment_method_id),
        name: row.payment_method_name,
        source_type: row.payment_method_source_type,
        moto: row.payment_method_moto ?? false,
        ...instrumentOf(row.payment_source_details),
      }

type Instrument = Pick<OrderPaymentMethod, 'issuer' | 'issuer_type' | 'card_type'>

/** What the gateway said about the card or account, under `payment_instrument`. */
const instrumentOf = (details: unknown): Instrument => {
  const instrument = memberOf(details, 'payment_instrument')
  const textOf = (name: string): string | null => {
    const value = memberOf(instrument, name)
    return typeof value === 'string' ? value : null
  }
  return { issuer: textOf('issuer'), issuer_type: textOf('issuer_type'), card_type: textOf('card_type') }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined

/** A line without an item was written by hand: it is no SKU, and `skus_count` leaves it out. The empty text says so. */
export const toLineItem = (
  ids: PublicIds,
  row: LineItemRow,
  options: OrderLineItem['options'],
): OrderLineItem => ({
  id: ids.encode('line_items', row.id),
  item_id: row.item_type === null ? null : idOrNull(ids, row.item_type, row.item_id),
  item_type: row.item_type ?? '',
  code: row.code,
  name: row.name,
  quantity: row.quantity,
  unit_amount_cents: row.unit_amount_cents,
  options_amount_cents: row.options_amount_cents,
  total_amount_cents: row.total_amount_cents,
  tax_amount_cents: row.tax_amount_cents,
  discount_cents: Math.min(row.discount_cents, 0),
  tax_rate: row.tax_rate,
  updated_at: isoOf(row.updated_at),
  options,
})

export const toOption = (ids: PublicIds, row: OptionRow): OrderLineItem['options'][number] => ({
  id: ids.encode('line_item_options', row.id),
  name: row.name,
  quantity: row.quantity,
  unit_amount_cents: row.unit_amount_cents,
  total_amount_cents: row.total_amount_cents,
})

export const toShipment = (ids: PublicIds, row: ShipmentRow, tags: readonly OrderTag[]): OrderShipment => ({
  id: ids.encode('shipments', row.id),
  number: row.number,
  status: row.status,
  reference: row.reference,
  reference_origin: row.reference_origin,
  cost_amount_cents: row.cost_amount_cents,
  items: row.codes,
  items_count: row.units,
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
  on_hold_at: isoOrNull(row.on_hold_at),
  picking_at: isoOrNull(row.picking_at),
  packing_at: isoOrNull(row.packing_at),
  ready_to_ship_at: isoOrNull(row.ready_to_ship_at),
  shipped_at: isoOrNull(row.shipped_at),
  delivered_at: isoOrNull(row.delivered_at),
  cancelled_at: isoOrNull(row.cancelled_at),
  stock_location: toNamed(
    ids,
    'stock_locations',
    row.stock_location_id,
    row.stock_location_name,
    row.stock_location_reference,
    row.stock_location_reference_origin,
  ),
  shipping_method: toShippingMethod(ids, row),
  shipping_category: toNamed(
    ids,
    'shipping_categories',
    row.shipping_category_id,
    row.shipping_category_name,
    row.shipping_category_reference,
    row.shipping_category_reference_origin,
  ),
  tags,
})

const toShippingMethod = (ids: PublicIds, row: ShipmentRow): OrderShipment['shipping_method'] => {
  const named = toNamed(
    ids,
    'shipping_methods',
    row.shipping_method_id,
    row.shipping_method_name,
    row.shipping_method_reference,
    row.shipping_method_reference_origin,
  )
  return named === null ? null : { ...named, currency_code: row.shipping_method_currency_code }
}

export const toNamed = (
  ids: PublicIds,
  type: string,
  number: number | null,
  name: string | null,
  reference: string | null,
  referenceOrigin: string | null,
): OrderNamed | null =>
  number === null
    ? null
    : { id: ids.encode(type, number), name, reference, reference_origin: referenceOrigin }

export const toRefund = (ids: PublicIds, row: RefundRow): OrderDocument['refunds'][number] => ({
  id: ids.encode('refunds', row.id),
  number: row.number,
  amount_cents: row.amount_cents,
})

export const toTag = (ids: PublicIds, row: TagRow): OrderTag => ({
  id: ids.encode('tags', row.id),
  name: row.name,
})

export const toResourceError = (ids: PublicIds, row: ResourceErrorRow): OrderResourceError => ({
  id: ids.encode('resource_errors', row.id),
  code: row.code,
  name: row.name,
  message: row.message,
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
})
