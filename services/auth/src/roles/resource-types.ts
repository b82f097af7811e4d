/**
 * The resource types of core, for roles that permit them all. e2e/token-information.test.ts holds this list against
 * core's registry.
 */
export const RESOURCE_TYPES = [
  'addresses',
  'applications',
  'customer_groups',
  'customers',
  'inventory_models',
  'inventory_stock_locations',
  'line_items',
  'manual_gateways',
  'markets',
  'merchants',
  'orders',
  'organizations',
  'payment_gateways',
  'payment_methods',
  'price_lists',
  'prices',
  'shipping_categories',
  'skus',
  'stock_items',
  'stock_locations',
  'stores',
] as const
