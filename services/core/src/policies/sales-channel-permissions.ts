/**
 * What sales channels may do, as data (spec auth.md 9.3 and 9.4). `read: 'single'` forbids lists. Which rows a read
 * sees is in store/sql/visibility.ts. A customer's token has the sum of both tables.
 */

export interface ResourcePermission {
  readonly create?: true
  /** Lists and single reads; single reads only; or only through a relationship of something that may be read. */
  readonly read?: 'list' | 'single' | 'related'
  readonly update?: true
  readonly delete?: true
}

export type PermissionTable = Readonly<Record<string, ResourcePermission>>

/** A guest: client_credentials. Where the facts leave lists open (payment and shipping methods, stock items), they are allowed: all rows they show are those of the market in scope. */
export const guestPermissions: PermissionTable = {
  addresses: { create: true, read: 'single', update: true, delete: true },
  applications: { read: 'single' },
  organizations: { read: 'single' },
  bundles: { read: 'list' },
  customers: { create: true },
  customer_password_resets: { create: true, read: 'single', update: true },
  customer_subscriptions: { create: true, read: 'single', update: true, delete: true },
  delivery_lead_times: { read: 'list' },
  geocoders: { read: 'single' },
  gift_cards: { create: true, read: 'single', update: true, delete: true },
  gift_card_recipients: { create: true, read: 'single', update: true, delete: true },
  in_stock_subscriptions: { create: true, read: 'single' },
  line_items: { create: true, read: 'single', update: true, delete: true },
  line_item_options: { create: true, read: 'single', update: true, delete: true },
  orders: { create: true, read: 'single', update: true },
  payment_methods: { read: 'list' },
  prices: { read: 'list' },
  promotions: { read: 'list' },
  returns: { create: true, read: 'single', update: true },
  return_line_items: { create: true, read: 'single' },
  shipments: { read: 'single', update: true },
  shipping_methods: { read: 'list' },
  skus: { read: 'list' },
  sku_options: { read: 'list' },
  sku_lists: { create: true, read: 'single', update: true, delete: true },
  sku_list_items: { create: true, read: 'single', update: true, delete: true },
  stock_items: { read: 'list' },
  stock_line_items: { read: 'single' },
  stock_transfers: { read: 'single' },
  // In no table of the vendor's, but what the vendor's own storefronts include: the rows in scope, no lists.
  markets: { read: 'related' },
  price_lists: { read: 'related' },
  shipping_categories: { read: 'related' },
  stock_locations: { read: 'related' },
  stores: { read: 'related' },
}

/** What a customer's token may do besides: password grant. */
export const customerPermissions: PermissionTable = {
  customers: { read: 'single', update: true, delete: true },
  customer_addresses: { create: true, read: 'list', update: true, delete: true },
  customer_payment_sources: { read: 'list', update: true, delete: true },
  customer_subscriptions: { create: true, read: 'list', update: true, delete: true },
  orders: { create: true, read: 'list', update: true },
  parcels: { read: 'single' },
}
