/** Collections the contract names, and what they cannot exist without. */
export const CONTRACT_TYPES = [
  'skus',
  'prices',
  'stock_items',
  'markets',
  'stores',
  'stock_locations',
  'orders',
  'price_lists',
  'inventory_models',
  'customer_groups',
  'payment_methods',
] as const

export const FURTHER_TYPES = [
  'customers',
  'line_items',
  'addresses',
  'merchants',
  'shipping_categories',
  'inventory_stock_locations',
  'payment_gateways',
  'manual_gateways',
] as const

export const COLLECTION_TYPES = [...CONTRACT_TYPES, ...FURTHER_TYPES] as const
