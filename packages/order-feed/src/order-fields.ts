/**
 * The one list of what core publishes about an order. From it come core's SELECT lists and the columns that its triggers watch,
 * the types and the JSON Schema of the document, and the columns that metrics writes
 * (docs/adr/0064-one-list-of-order-fields.md). To add a field: docs/how-to/add-an-order-field.md.
 *
 * Amounts are integers in the minor unit of the order's currency (`minor_unit_digits`); absent values are null.
 */
import {
  cents,
  count,
  derived,
  few,
  fieldsOf,
  flag,
  flatPart,
  id,
  instant,
  list,
  matching,
  notStored,
  oneOf,
  orNull,
  part,
  partOrNull,
  rate,
  text,
  texts,
  version,
} from './field.ts'

/** Version of the document's shape. Metrics refuses a document of a higher version than it knows. */
export const ORDER_DOCUMENT_SCHEMA = 2

const CURRENCY = '^[A-Z]{3}$'
const COUNTRY = '^[A-Z]{2}$'

export const tagFields = fieldsOf('tags', { id: few(id('tags')), name: few(text()) })

/** Something that has an id, a name and the caller's own reference. */
const named = (type: string) => ({
  id: few(id(type)),
  name: few(orNull(text())),
  reference: few(orNull(text())),
  reference_origin: few(orNull(text())),
})

const address = (table: string) => ({
  business: flag(),
  city: few(orNull(text())),
  country_code: few(orNull(matching(COUNTRY))),
  state_code: few(orNull(text())),
  zip_code: orNull(text()),
  geocoded: flag(`${table}.is_geocoded`),
  localized: flag(`(${table}.lat IS NOT NULL AND ${table}.lng IS NOT NULL)`),
})

/** A member of what the gateway said about the card or account. */
const instrument = (member: string): string =>
  `CASE jsonb_typeof(orders.payment_source_details #> '{payment_instrument,${member}}') WHEN 'string' THEN orders.payment_source_details #>> '{payment_instrument,${member}}' END`

export const optionFields = fieldsOf('line_item_options', {
  id: id('line_item_options'),
  name: few(orNull(text())),
  quantity: count(),
  unit_amount_cents: cents(),
  total_amount_cents: cents(),
})

export const lineItemFields = fieldsOf('line_items', {
  id: id('line_items'),
  item_id: few(orNull(id({ from: 'line_items.item_type' }))),
  /** Empty when the line has no item, but was written by hand: it is no SKU, and `skus_count` leaves it out. */
  item_type: few(text("coalesce(line_items.item_type, '')")),
  code: few(orNull(text('coalesce(line_items.sku_code, line_items.bundle_code, line_items.coupon_code)'))),
  name: few(orNull(text())),
  quantity: count(),
  unit_amount_cents: cents(),
  options_amount_cents: cents(),
  total_amount_cents: cents(),
  tax_amount_cents: cents(),
  /** Zero or negative: the line's share of the order's discounts. */
  discount_cents: cents('least(line_items.discount_cents, 0)', 0),
  tax_rate: rate('trim_scale(line_items.tax_rate)::text'),
  updated_at: instant(),
  options: list(optionFields),
})

export const shipmentFields = fieldsOf('shipments', {
  id: id('shipments'),
  number: text(),
  status: few(text()),
  reference: orNull(text()),
  reference_origin: few(orNull(text())),
  cost_amount_cents: cents(),
  /** Codes of the stock items shipped, one per unit line. */
  items: texts('contents.codes'),
  items_count: count('contents.units'),
  created_at: instant(),
  updated_at: instant(),
  on_hold_at: orNull(instant()),
  picking_at: orNull(instant()),
  packing_at: orNull(instant()),
  ready_to_ship_at: orNull(instant()),
  shipped_at: orNull(instant()),
  delivered_at: orNull(instant()),
  cancelled_at: orNull(instant()),
  stock_location: partOrNull('stock_locations', named('stock_locations')),
  shipping_method: partOrNull('shipping_methods', {
    ...named('shipping_methods'),
    currency_code: few(orNull(matching(CURRENCY))),
  }),
  shipping_category: partOrNull('shipping_categories', named('shipping_categories')),
  tags: list(tagFields),
})

export const refundFields = fieldsOf('refunds', {
  id: id('transactions'),
  number: text(),
  amount_cents: cents(),
})

/** What of one line item is sent back; what the line is stands in `line_items` of the order. */
export const returnLineItemFields = fieldsOf('items', {
  id: notStored(id('return_line_items')),
  line_item_id: id('line_items'),
  quantity: count(),
  created_at: instant(),
  updated_at: instant(),
  restocked_at: orNull(instant()),
})

export const returnFields = fieldsOf('returns', {
  id: id('returns'),
  number: text(),
  status: few(text()),
  reference: orNull(text()),
  reference_origin: few(orNull(text())),
  skus_count: count(),
  created_at: instant(),
  updated_at: instant(),
  approved_at: orNull(instant()),
  cancelled_at: orNull(instant()),
  shipped_at: orNull(instant()),
  rejected_at: orNull(instant()),
  received_at: orNull(instant()),
  refunded_at: notStored(orNull(instant())),
  archived_at: orNull(instant()),
  stock_location: partOrNull('stock_locations', named('stock_locations')),
  origin_address: partOrNull('origin', address('origin')),
  destination_address: partOrNull('destination', address('destination')),
  tags: list(tagFields),
  line_items: list(returnLineItemFields),
})

/** An error that was noted while the order was being placed. */
export const resourceErrorFields = fieldsOf('resource_errors', {
  id: id('resource_errors'),
  code: few(text()),
  name: few(text()),
  message: text(),
  created_at: instant(),
  updated_at: instant(),
})

export const orderFields = fieldsOf('orders', {
  schema: derived<typeof ORDER_DOCUMENT_SCHEMA>({ const: ORDER_DOCUMENT_SCHEMA }),
  organization: part('environments', {
    id: few(id('organizations', 'environments.organization_id')),
    slug: few(text()),
    name: few(text()),
  }),
  mode: few({ ...oneOf('test', 'live'), from: 'environments.mode' }),
  id: id('orders'),
  /** Grows by at least one with each committed change of the order: the higher one wins, whatever the arrival order. */
  version: version(),
  number: text(),
  reference: orNull(text()),
  reference_origin: few(orNull(text())),
  status: few(text()),
  payment_status: few(text()),
  fulfillment_status: few(text()),
  currency_code: few(matching(CURRENCY)),
  /** Decimal digits of the currency's minor unit as stored: 2 for EUR, 0 for JPY and HUF. */
  minor_unit_digits: derived<number>({ type: 'integer', minimum: 0, maximum: 4 }),
  language_code: few(orNull(text())),
  country_code: few(orNull(matching(COUNTRY))),
  coupon_code: few(orNull(text())),
  gift_card_code: orNull(text()),
  affiliate_code: few(orNull(text())),
  customer_type: few(oneOf('new', 'returning', null)),
  guest: flag(),
  tax_included: flag(),
  freight_taxable: flag(),
  link_id: orNull(text()),
  user_id: orNull(text()),
  store_id: few(orNull(id('stores'))),
  amounts: flatPart('orders', {
    subtotal: cents('orders.subtotal_amount_cents'),
    subtotal_tax: cents('orders.subtotal_tax_amount_cents'),
    subtotal_taxable: cents('orders.subtotal_taxable_amount_cents'),
    shipping: cents('orders.shipping_amount_cents'),
    shipping_taxable: cents('orders.shipping_taxable_amount_cents'),
    payment_method: cents('orders.payment_method_amount_cents'),
    payment_method_tax: cents('orders.payment_method_tax_amount_cents'),
    payment_method_taxable: cents('orders.payment_method_taxable_amount_cents'),
    adjustment: cents('orders.adjustment_amount_cents'),
    adjustment_tax: cents('orders.adjustment_tax_amount_cents'),
    adjustment_taxable: cents('orders.adjustment_taxable_amount_cents'),
    discount: cents('orders.discount_amount_cents'),
    gift_card: cents('orders.gift_card_amount_cents'),
    duty: cents('orders.duty_amount_cents'),
    total: cents('orders.total_amount_cents'),
    total_tax: cents('orders.total_tax_amount_cents'),
    total_taxable: cents('orders.total_taxable_amount_cents'),
    total_with_taxes: cents('orders.total_amount_with_taxes_cents'),
  }),
  skus_count: count(),
  line_item_options_count: count(),
  shipments_count: count(),
  created_at: instant(),
  updated_at: instant(),
  placed_at: orNull(instant()),
  approved_at: orNull(instant()),
  cancelled_at: orNull(instant()),
  archived_at: orNull(instant()),
  payment_updated_at: orNull(instant()),
  fulfillment_updated_at: orNull(instant()),
  market: part('markets', { id: few(id('markets')), name: few(text()), number: count() }),
  customer: partOrNull('customers', {
    id: id('customers'),
    email: text(),
    group_name: few(orNull(text('customer_groups.name'))),
    reference: orNull(text()),
    reference_origin: few(orNull(text())),
  }),
  billing_address: partOrNull('billing', {
    ...address('billing'),
    company: orNull(text()),
    first_name: orNull(text()),
    last_name: orNull(text()),
  }),
  shipping_address: partOrNull('shipping', address('shipping')),
  payment_method: partOrNull('payment_methods', {
    id: id('payment_methods'),
    name: few(orNull(text())),
    source_type: few(orNull(text('payment_methods.payment_source_type'))),
    moto: flag('coalesce(payment_methods.moto, false)'),
    issuer: few(orNull(text(instrument('issuer')))),
    issuer_type: few(orNull(text(instrument('issuer_type')))),
    card_type: few(orNull(text(instrument('card_type')))),
  }),
  line_items: list(lineItemFields),
  shipments: list(shipmentFields),
  refunds: list(refundFields),
  returns: list(returnFields),
  tags: list(tagFields),
  resource_errors: list(resourceErrorFields),
})
