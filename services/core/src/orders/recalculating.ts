/** What an order's status, amounts, lines or shipments follow from. */
export const RECALCULATING: readonly string[] = [
  'market',
  'customer',
  'customer_email',
  'payment_method',
  'shipping_address',
  '_shipping_address_clone_id',
  '_shipping_address_same_as_billing',
  'billing_address',
  '_billing_address_clone_id',
  '_billing_address_same_as_shipping',
  'coupon_code',
  'gift_card_code',
  'gift_card_or_coupon_code',
  'autorefresh',
  'freight_taxable',
  'payment_method_taxable',
  'adjustment_taxable',
  'gift_card_taxable',
]

export const REFRESHING: readonly string[] = ['_refresh', '_refresh_prices']
