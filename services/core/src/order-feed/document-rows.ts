/** Rows of document-queries.ts, columns as they are named there. */

export interface AddressRow {
  readonly business: boolean
  readonly first_name: string | null
  readonly last_name: string | null
  readonly company: string | null
  readonly city: string | null
  readonly country_code: string | null
  readonly state_code: string | null
  readonly zip_code: string | null
  readonly lat: number | null
  readonly lng: number | null
  readonly is_geocoded: boolean
}

export interface OrderRow extends AmountColumns {
  readonly environment_id: number
  readonly id: number
  readonly organization_id: string
  readonly organization_slug: string
  readonly organization_name: string
  readonly mode: 'test' | 'live'
  readonly version: number
  readonly number: string
  readonly reference: string | null
  readonly reference_origin: string | null
  readonly status: string
  readonly payment_status: string
  readonly fulfillment_status: string
  readonly currency_code: string
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
  readonly store_id: number | null
  readonly skus_count: number
  readonly line_item_options_count: number
  readonly shipments_count: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly placed_at: Date | null
  readonly approved_at: Date | null
  readonly cancelled_at: Date | null
  readonly archived_at: Date | null
  readonly payment_updated_at: Date | null
  readonly fulfillment_updated_at: Date | null
  readonly market_id: number
  readonly market_name: string
  readonly market_number: number
  readonly customer_id: number | null
  readonly buyer_email: string | null
  readonly buyer_group_name: string | null
  readonly buyer_reference: string | null
  readonly buyer_reference_origin: string | null
  readonly billing_address: AddressRow | null
  readonly shipping_address: AddressRow | null
  readonly payment_method_id: number | null
  readonly payment_method_name: string | null
  readonly payment_method_source_type: string | null
  readonly payment_method_moto: boolean | null
  readonly payment_source_details: unknown
}

/** All in the smallest unit of the order's currency. */
export interface AmountColumns {
  readonly subtotal_amount_cents: number
  readonly subtotal_tax_amount_cents: number
  readonly subtotal_taxable_amount_cents: number
  readonly shipping_amount_cents: number
  readonly shipping_taxable_amount_cents: number
  readonly payment_method_amount_cents: number
  readonly payment_method_tax_amount_cents: number
  readonly payment_method_taxable_amount_cents: number
  readonly adjustment_amount_cents: number
  readonly adjustment_tax_amount_cents: number
  readonly adjustment_taxable_amount_cents: number
  readonly discount_amount_cents: number
  readonly gift_card_amount_cents: number
  readonly duty_amount_cents: number
  readonly total_amount_cents: number
  readonly total_tax_amount_cents: number
  readonly total_taxable_amount_cents: number
  readonly total_amount_with_taxes_cents: number
}

export interface LineItemRow {
  readonly id: number
  readonly order_id: number
  readonly item_type: string | null
  readonly item_id: number | null
  readonly code: string | null
  readonly name: string | null
  readonly quantity: number
  readonly unit_amount_cents: number
  readonly options_amount_cents: number
  readonly total_amount_cents: number
  readonly tax_amount_cents: number
  readonly discount_cents: number
  readonly tax_rate: string
  readonly updated_at: Date
}

export interface OptionRow {
  readonly id: number
  readonly line_item_id: number
  readonly name: string | null
  readonly quantity: number
  readonly unit_amount_cents: number
  readonly total_amount_cents: number
}

export interface ShipmentRow {
  readonly id: number
  readonly order_id: number
  readonly number: string
  readonly status: string
  readonly reference: string | null
  readonly reference_origin: string | null
  readonly cost_amount_cents: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly on_hold_at: Date | null
  readonly picking_at: Date | null
  readonly packing_at: Date | null
  readonly ready_to_ship_at: Date | null
  readonly shipped_at: Date | null
  readonly delivered_at: Date | null
  readonly cancelled_at: Date | null
  readonly stock_location_id: number | null
  readonly stock_location_name: string | null
  readonly stock_location_reference: string | null
  readonly stock_location_reference_origin: string | null
  readonly shipping_method_id: number | null
  readonly shipping_method_name: string | null
  readonly shipping_method_reference: string | null
  readonly shipping_method_reference_origin: string | null
  readonly shipping_method_currency_code: string | null
  readonly shipping_category_id: number | null
  readonly shipping_category_name: string | null
  readonly shipping_category_reference: string | null
  readonly shipping_category_reference_origin: string | null
  readonly codes: readonly string[]
  readonly units: number
}

export interface RefundRow {
  readonly id: number
  readonly order_id: number
  readonly number: string
  readonly amount_cents: number
}

export interface ReturnRow {
  readonly id: number
  readonly order_id: number
  readonly number: string
  readonly status: string
  readonly reference: string | null
  readonly reference_origin: string | null
  readonly skus_count: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly approved_at: Date | null
  readonly cancelled_at: Date | null
  readonly shipped_at: Date | null
  readonly rejected_at: Date | null
  readonly received_at: Date | null
  readonly refunded_at: Date | null
  readonly archived_at: Date | null
  readonly stock_location_id: number | null
  readonly stock_location_name: string | null
  readonly stock_location_reference: string | null
  readonly stock_location_reference_origin: string | null
  readonly origin_address: AddressRow | null
  readonly destination_address: AddressRow | null
}

export interface ReturnLineItemRow {
  readonly id: number
  readonly return_id: number
  readonly line_item_id: number
  readonly quantity: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly restocked_at: Date | null
}

export interface TagRow {
  readonly order_id: number | null
  readonly shipment_id: number | null
  readonly return_id: number | null
  readonly id: number
  readonly name: string
}

export interface ResourceErrorRow {
  readonly id: number
  readonly order_id: number
  readonly code: string
  readonly name: string
  readonly message: string
  readonly created_at: Date
  readonly updated_at: Date
}
