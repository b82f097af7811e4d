/**
 * The order document: what core publishes about one order, and all that metrics knows of it.
 * It is the contract between the two services; a change of shape raises `ORDER_DOCUMENT_SCHEMA`.
 *
 * Amounts are integers in the minor unit of the order's currency (the plain unit for zero-decimal currencies, see
 * `minor_unit_digits`); instants are ISO 8601 UTC with milliseconds; ids are the public ids; absent values are null.
 */

/** Version of the shape below. Metrics refuses a document of a higher version than it knows. */
export const ORDER_DOCUMENT_SCHEMA = 2

/** One order, with everything that analytics asks about. */
export interface OrderDocument {
  readonly schema: typeof ORDER_DOCUMENT_SCHEMA
  readonly organization: { readonly id: string; readonly slug: string; readonly name: string }
  readonly mode: 'test' | 'live'
  readonly id: string
  /** Grows by at least one with each committed change of the order: the higher one wins, whatever the arrival order. */
  readonly version: number
  readonly number: string
  readonly reference: string | null
  readonly reference_origin: string | null
  readonly status: string
  readonly payment_status: string
  readonly fulfillment_status: string
  readonly currency_code: string
  /** Decimal digits of the currency's minor unit as stored: 2 for EUR, 0 for JPY and HUF. */
  readonly minor_unit_digits: number
  readonly language_code: string | null
  readonly country_code: string | null
  readonly coupon_code: string | null
  readonly gift_card_code: string | null
  readonly affiliate_code: string | null
  readonly customer_type: 'new' | 'returning' | null
  readonly guest: boolean
  readonly tax_included: boolean
  readonly freight_taxable: boolean
  readonly link_id: string | null
  readonly user_id: string | null
  readonly store_id: string | null
  readonly amounts: OrderAmounts
  readonly skus_count: number
  readonly line_item_options_count: number
  readonly shipments_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly placed_at: string | null
  readonly approved_at: string | null
  readonly cancelled_at: string | null
  readonly archived_at: string | null
  readonly payment_updated_at: string | null
  readonly fulfillment_updated_at: string | null
  readonly market: { readonly id: string; readonly name: string; readonly number: number }
  readonly customer: OrderCustomer | null
  readonly billing_address: OrderBillingAddress | null
  readonly shipping_address: OrderAddress | null
  readonly payment_method: OrderPaymentMethod | null
  readonly line_items: readonly OrderLineItem[]
  readonly shipments: readonly OrderShipment[]
  readonly refunds: readonly { readonly id: string; readonly number: string; readonly amount_cents: number }[]
  readonly returns: readonly OrderReturn[]
  readonly tags: readonly OrderTag[]
  readonly resource_errors: readonly OrderResourceError[]
}

/** Every order total, integers in the minor unit. Names are those of the core attributes without `_amount_cents`. */
export interface OrderAmounts {
  readonly subtotal: number
  readonly subtotal_tax: number
  readonly subtotal_taxable: number
  readonly shipping: number
  readonly shipping_taxable: number
  readonly payment_method: number
  readonly payment_method_tax: number
  readonly payment_method_taxable: number
  readonly adjustment: number
  readonly adjustment_tax: number
  readonly adjustment_taxable: number
  readonly discount: number
  readonly gift_card: number
  readonly duty: number
  readonly total: number
  readonly total_tax: number
  readonly total_taxable: number
  readonly total_with_taxes: number
}

/** Whose order it is. */
export interface OrderCustomer {
  readonly id: string
  readonly email: string
  readonly group_name: string | null
  readonly reference: string | null
  readonly reference_origin: string | null
}

/** An address, as far as analytics asks. */
export interface OrderAddress {
  readonly business: boolean
  readonly city: string | null
  readonly country_code: string | null
  readonly state_code: string | null
  readonly zip_code: string | null
  readonly geocoded: boolean
  readonly localized: boolean
}

/** The address of whoever is billed. */
export interface OrderBillingAddress extends OrderAddress {
  readonly company: string | null
  readonly first_name: string | null
  readonly last_name: string | null
}

/** How it is paid, and by which gateway. */
export interface OrderPaymentMethod {
  readonly id: string
  readonly name: string | null
  readonly source_type: string | null
  readonly moto: boolean
  readonly issuer: string | null
  readonly issuer_type: string | null
  readonly card_type: string | null
}

/** One line: what, how many, for how much. */
export interface OrderLineItem {
  readonly id: string
  readonly item_id: string | null
  /** Empty when it has no item, but was written by hand. */
  readonly item_type: string
  readonly code: string | null
  readonly name: string | null
  readonly quantity: number
  readonly unit_amount_cents: number
  readonly options_amount_cents: number
  readonly total_amount_cents: number
  readonly tax_amount_cents: number
  /** Zero or negative: the line's share of the order's discounts. */
  readonly discount_cents: number
  /** A fraction as a decimal string, e.g. "0.22". */
  readonly tax_rate: string
  readonly updated_at: string
  readonly options: readonly {
    readonly id: string
    readonly name: string | null
    readonly quantity: number
    readonly unit_amount_cents: number
    readonly total_amount_cents: number
  }[]
}

/** A tag of the order or of one of its parts. */
export interface OrderTag {
  readonly id: string
  readonly name: string
}

/** Something that has an id, a name and the caller's own reference. */
export interface OrderNamed {
  readonly id: string
  readonly name: string | null
  readonly reference: string | null
  readonly reference_origin: string | null
}

/** One parcel, with when it reached each step. */
export interface OrderShipment {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly reference: string | null
  readonly reference_origin: string | null
  readonly cost_amount_cents: number
  /** Codes of the stock items shipped, one per unit line. */
  readonly items: readonly string[]
  readonly items_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly on_hold_at: string | null
  readonly picking_at: string | null
  readonly packing_at: string | null
  readonly ready_to_ship_at: string | null
  readonly shipped_at: string | null
  readonly delivered_at: string | null
  readonly cancelled_at: string | null
  readonly stock_location: OrderNamed | null
  readonly shipping_method: (OrderNamed & { readonly currency_code: string | null }) | null
  readonly shipping_category: OrderNamed | null
  readonly tags: readonly OrderTag[]
}

/** Goods of the order that a customer sends back, with when each step was reached. Currency and customer are the order's. */
export interface OrderReturn {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly reference: string | null
  readonly reference_origin: string | null
  readonly skus_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly approved_at: string | null
  readonly cancelled_at: string | null
  readonly shipped_at: string | null
  readonly rejected_at: string | null
  readonly received_at: string | null
  readonly refunded_at: string | null
  readonly archived_at: string | null
  readonly stock_location: OrderNamed | null
  readonly origin_address: OrderAddress | null
  readonly destination_address: OrderAddress | null
  readonly tags: readonly OrderTag[]
  readonly line_items: readonly OrderReturnLineItem[]
}

/** What of one line item is sent back; what the line is stands in `line_items` of the order. */
export interface OrderReturnLineItem {
  readonly id: string
  readonly line_item_id: string
  readonly quantity: number
  readonly created_at: string
  readonly updated_at: string
  readonly restocked_at: string | null
}

/** An error that was noted while the order was being placed. */
export interface OrderResourceError {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly message: string
  readonly created_at: string
  readonly updated_at: string
}

/** One entry of `GET /internal/order-feed`, in commit order. A deleted order keeps its identity and version. */
export type OrderFeedEntry =
  | { readonly kind: 'upsert'; readonly document: OrderDocument }
  | {
      readonly kind: 'delete'
      readonly organization_id: string
      readonly mode: 'test' | 'live'
      readonly id: string
      readonly version: number
    }

/** One page of the feed. `cursor` is opaque and goes back as `after`; `caught_up` says that nothing was left to send. */
export interface OrderFeedPage {
  readonly entries: readonly OrderFeedEntry[]
  readonly cursor: string
  readonly caught_up: boolean
}
