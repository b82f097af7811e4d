/**
 * The JSON Schema of what `GET /internal/order-feed` answers. Each object schema is typed by its interface in
 * order-document.ts, so that a member without a schema, or a schema without a member, does not compile.
 */
import { compile } from '@merx/validation/compile'
import type { Result } from '@merx/validation/compile'
import { ORDER_DOCUMENT_SCHEMA } from './order-document.ts'
import type {
  OrderAddress,
  OrderAmounts,
  OrderBillingAddress,
  OrderCustomer,
  OrderDocument,
  OrderFeedEntry,
  OrderFeedPage,
  OrderLineItem,
  OrderNamed,
  OrderPaymentMethod,
  OrderResourceError,
  OrderReturn,
  OrderReturnLineItem,
  OrderShipment,
  OrderTag,
} from './order-document.ts'

type Schema = Readonly<Record<string, unknown>>

/** Exactly the members of `T`, all of them present: absent values are null. */
const objectOf = <T>(properties: { readonly [K in keyof T]-?: Schema }): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

/** One check of a type that may be null: of two alternatives the first would be refused, with faults, for each null. */
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema['type'], 'null'] })
const listOf = (items: Schema): Schema => ({ type: 'array', items })

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
const flag: Schema = { type: 'boolean' }
/** Ten letters or more, as @merx/jsonapi/public-id writes them. */
const id: Schema = { type: 'string', pattern: '^[a-zA-Z]{10,14}$' }
const idOrNull = orNull(id)
/** What JavaScript can hold exactly. */
const cents: Schema = { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const count: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const instant: Schema = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` }
const instantOrNull = orNull(instant)
const currency: Schema = { type: 'string', pattern: '^[A-Z]{3}$' }
const countryOrNull = orNull({ type: 'string', pattern: '^[A-Z]{2}$' })
const mode: Schema = { enum: ['test', 'live'] }

const amounts = objectOf<OrderAmounts>({
  subtotal: cents,
  subtotal_tax: cents,
  subtotal_taxable: cents,
  shipping: cents,
  shipping_taxable: cents,
  payment_method: cents,
  payment_method_tax: cents,
  payment_method_taxable: cents,
  adjustment: cents,
  adjustment_tax: cents,
  adjustment_taxable: cents,
  discount: cents,
  gift_card: cents,
  duty: cents,
  total: cents,
  total_tax: cents,
  total_taxable: cents,
  total_with_taxes: cents,
})

const customer = objectOf<OrderCustomer>({
  id,
  email: text,
  group_name: textOrNull,
  reference: textOrNull,
  reference_origin: textOrNull,
})

const addressMembers: { readonly [K in keyof OrderAddress]-?: Schema } = {
  business: flag,
  city: textOrNull,
  country_code: countryOrNull,
  state_code: textOrNull,
  zip_code: textOrNull,
  geocoded: flag,
  localized: flag,
}

const billingAddress = objectOf<OrderBillingAddress>({
  ...addressMembers,
  company: textOrNull,
  first_name: textOrNull,
  last_name: textOrNull,
})

const paymentMethod = objectOf<OrderPaymentMethod>({
  id,
  name: textOrNull,
  source_type: textOrNull,
  moto: flag,
  issuer: textOrNull,
  issuer_type: textOrNull,
  card_type: textOrNull,
})

const lineItem = objectOf<OrderLineItem>({
  id,
  item_id: idOrNull,
  item_type: text,
  code: textOrNull,
  name: textOrNull,
  quantity: count,
  unit_amount_cents: cents,
  options_amount_cents: cents,
  total_amount_cents: cents,
  tax_amount_cents: cents,
  discount_cents: { ...cents, maximum: 0 },
  tax_rate: { type: 'string', pattern: String.raw`^(0(\.\d{1,8})?|1)$` },
  updated_at: instant,
  options: listOf(
    objectOf<OrderLineItem['options'][number]>({
      id,
      name: textOrNull,
      quantity: count,
      unit_amount_cents: cents,
      total_amount_cents: cents,
    }),
  ),
})

const tag = objectOf<OrderTag>({ id, name: text })

const namedMembers: { readonly [K in keyof OrderNamed]-?: Schema } = {
  id,
  name: textOrNull,
  reference: textOrNull,
  reference_origin: textOrNull,
}
const named = objectOf<OrderNamed>(namedMembers)

const shipment = objectOf<OrderShipment>({
  id,
  number: text,
  status: text,
  reference: textOrNull,
  reference_origin: textOrNull,
  cost_amount_cents: cents,
  items: listOf(text),
  items_count: count,
  created_at: instant,
  updated_at: instant,
  on_hold_at: instantOrNull,
  picking_at: instantOrNull,
  packing_at: instantOrNull,
  ready_to_ship_at: instantOrNull,
  shipped_at: instantOrNull,
  delivered_at: instantOrNull,
  cancelled_at: instantOrNull,
  stock_location: orNull(named),
  shipping_method: orNull(
    objectOf<NonNullable<OrderShipment['shipping_method']>>({
      ...namedMembers,
      currency_code: orNull(currency),
    }),
  ),
  shipping_category: orNull(named),
  tags: listOf(tag),
})

const returnLineItem = objectOf<OrderReturnLineItem>({
  id,
  line_item_id: id,
  quantity: count,
  created_at: instant,
  updated_at: instant,
  restocked_at: instantOrNull,
})

const orderReturn = objectOf<OrderReturn>({
  id,
  number: text,
  status: text,
  reference: textOrNull,
  reference_origin: textOrNull,
  skus_count: count,
  created_at: instant,
  updated_at: instant,
  approved_at: instantOrNull,
  cancelled_at: instantOrNull,
  shipped_at: instantOrNull,
  rejected_at: instantOrNull,
  received_at: instantOrNull,
  refunded_at: instantOrNull,
  archived_at: instantOrNull,
  stock_location: orNull(named),
  origin_address: orNull(objectOf<OrderAddress>(addressMembers)),
  destination_address: orNull(objectOf<OrderAddress>(addressMembers)),
  tags: listOf(tag),
  line_items: listOf(returnLineItem),
})

const resourceError = objectOf<OrderResourceError>({
  id,
  code: text,
  name: text,
  message: text,
  created_at: instant,
  updated_at: instant,
})

/** The JSON Schema (draft 7) of one order document of version `ORDER_DOCUMENT_SCHEMA`. */
export const orderDocumentSchema = objectOf<OrderDocument>({
  schema: { const: ORDER_DOCUMENT_SCHEMA },
  organization: objectOf<OrderDocument['organization']>({ id, slug: text, name: text }),
  mode,
  id,
  version: { ...count, minimum: 1 },
  number: text,
  reference: textOrNull,
  reference_origin: textOrNull,
  status: text,
  payment_status: text,
  fulfillment_status: text,
  currency_code: currency,
  minor_unit_digits: { type: 'integer', minimum: 0, maximum: 4 },
  language_code: textOrNull,
  country_code: countryOrNull,
  coupon_code: textOrNull,
  gift_card_code: textOrNull,
  affiliate_code: textOrNull,
  customer_type: { enum: ['new', 'returning', null] },
  guest: flag,
  tax_included: flag,
  freight_taxable: flag,
  link_id: textOrNull,
  user_id: textOrNull,
  store_id: idOrNull,
  amounts,
  skus_count: count,
  line_item_options_count: count,
  shipments_count: count,
  created_at: instant,
  updated_at: instant,
  placed_at: instantOrNull,
  approved_at: instantOrNull,
  cancelled_at: instantOrNull,
  archived_at: instantOrNull,
  payment_updated_at: instantOrNull,
  fulfillment_updated_at: instantOrNull,
  market: objectOf<OrderDocument['market']>({ id, name: text, number: count }),
  customer: orNull(customer),
  billing_address: orNull(billingAddress),
  shipping_address: orNull(objectOf<OrderAddress>(addressMembers)),
  payment_method: orNull(paymentMethod),
  line_items: listOf(lineItem),
  shipments: listOf(shipment),
  refunds: listOf(objectOf<OrderDocument['refunds'][number]>({ id, number: text, amount_cents: cents })),
  returns: listOf(orderReturn),
  tags: listOf(tag),
  resource_errors: listOf(resourceError),
})

interface Upsert {
  readonly kind: 'upsert'
  readonly document: OrderDocument
}

interface Deletion {
  readonly kind: 'delete'
  readonly organization_id: string
  readonly mode: 'test' | 'live'
  readonly id: string
  readonly version: number
}

const upsert = objectOf<Upsert>({ kind: { const: 'upsert' }, document: orderDocumentSchema })
const deletion = objectOf<Deletion>({
  kind: { const: 'delete' },
  organization_id: id,
  mode,
  id,
  version: { ...count, minimum: 1 },
})

/** A page around its entries, whatever those are. */
export interface OrderFeedEnvelope {
  readonly entries: readonly { readonly kind: 'upsert' | 'delete' }[]
  readonly cursor: string
  readonly caught_up: boolean
}

const pageOf = (entry: Schema): Schema =>
  objectOf<OrderFeedPage>({
    entries: listOf(entry),
    cursor: { type: 'string', minLength: 1 },
    caught_up: flag,
  })

/** The JSON Schema (draft 7) of one page of the feed. */
export const orderFeedPageSchema = pageOf({ anyOf: [upsert, deletion] })

/**
 * Checks a page of the feed, every member of every document.
 *
 * @example const page = parseOrderFeedPage(await response.json()); if (page.ok) store(page.value.entries)
 */
export const parseOrderFeedPage: (value: unknown) => Result<OrderFeedPage> =
  compile<OrderFeedPage>(orderFeedPageSchema)

/** Checks the page only, so that a reader can take its entries one by one and keep apart those that are none. */
export const parseOrderFeedEnvelope: (value: unknown) => Result<OrderFeedEnvelope> =
  compile<OrderFeedEnvelope>(
    pageOf({ type: 'object', required: ['kind'], properties: { kind: { enum: ['upsert', 'delete'] } } }),
  )

const parseUpsert = compile<Upsert>(upsert)
const parseDeletion = compile<Deletion>(deletion)

/** Checks one entry of a page, every member of its document. */
export const parseOrderFeedEntry = (entry: OrderFeedEnvelope['entries'][number]): Result<OrderFeedEntry> =>
  entry.kind === 'upsert' ? parseUpsert(entry) : parseDeletion(entry)

/** Checks one order document. */
export const parseOrderDocument: (value: unknown) => Result<OrderDocument> =
  compile<OrderDocument>(orderDocumentSchema)
