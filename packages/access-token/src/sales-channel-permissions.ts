/**
 * The permissions of sales channels, as data: core enforces them, tokeninfo shows them and docs/reference/permissions.md is
 * made from them. A resource that is in no table is closed to them. A customer's token has the sum of both tables; where both
 * grant an action, the customer's row conditions count.
 */

/** Filters as inside `filter[q][…]`; all are required. */
type RowConditions = Readonly<Record<string, unknown>>

export interface ResourcePermission {
  readonly create?: true
  /** Lists and single reads; single reads only; or only through a relationship of something that may be read. */
  readonly read?: 'list' | 'single' | 'related'
  readonly update?: true
  readonly destroy?: true
  /** Which rows, in words; what a read sees beyond `rows` is in services/core/src/orders/visibility.ts and its siblings. */
  readonly which?: string
  /** Which rows, per action, in the vocabulary of a custom role's restrictions. */
  readonly rows?: Readonly<Partial<Record<'all' | 'create' | 'read' | 'update' | 'destroy', RowConditions>>>
  /** All that a read shows, in the same vocabulary; other fields are left out as if the record had none. */
  readonly fields?: { readonly read: readonly string[] }
}

export type PermissionTable = Readonly<Record<string, ResourcePermission>>

/** Statuses in which a guest reads an order and what belongs to it. */
export const READABLE_ORDER_STATUSES = ['draft', 'pending', 'placing', 'placed'] as const
/** Statuses in which a sales channel changes an order and what belongs to it. */
export const WRITABLE_ORDER_STATUSES = ['draft', 'pending'] as const

const everything = { create: true, read: 'single', update: true, destroy: true } as const

const whileOrder = (statusOfOrder: string, statuses: readonly string[]): RowConditions => ({
  [`${statusOfOrder}_in`]: statuses,
})

/** Created, changed and deleted while the order is in the making; `path` leads to the order's status. */
const writesByOrder = (path: string): NonNullable<ResourcePermission['rows']> => {
  const inTheMaking = whileOrder(path, WRITABLE_ORDER_STATUSES)
  return { create: inTheMaking, update: inTheMaking, destroy: inTheMaking }
}

const ofOrder = (path: string): NonNullable<ResourcePermission['rows']> => ({
  ...writesByOrder(path),
  read: whileOrder(path, READABLE_ORDER_STATUSES),
})

/** Every kind of payment source has the same permissions. */
const PAYMENT_SOURCES = [
  'adyen_payments',
  'axerve_payments',
  'braintree_payments',
  'checkout_com_payments',
  'external_payments',
  'klarna_payments',
  'paypal_payments',
  'satispay_payments',
  'stripe_payments',
  'wire_transfers',
] as const

const BY_ORDER =
  'read while the order is draft, pending, placing or placed, written while it is draft or pending'

const paymentSource: ResourcePermission = { ...everything, which: BY_ORDER, rows: ofOrder('order_status') }

/**
 * A sales channel without a customer: client_credentials. Where the facts leave lists open (payment and shipping
 * methods, stock items), they are allowed: all rows they show are those of the market in scope.
 */
export const guestPermissions: PermissionTable = {
  addresses: {
    ...everything,
    which: 'of nobody yet, or of orders it sees; changed until the order is placed',
  },
  applications: { read: 'single', which: 'the credential in use' },
  bundles: { read: 'list', which: 'of the market in scope, or of none in its currency' },
  customer_addresses: { read: 'related', which: 'none: an address book is for its customer' },
  customer_payment_sources: { read: 'related', which: 'none: a wallet is for its customer' },
  customer_password_resets: {
    create: true,
    read: 'single',
    update: true,
    // Not whose it is: the answer must not reveal whether somebody has the email.
    fields: {
      read: [
        'customer_email',
        'reset_password_at',
        'created_at',
        'updated_at',
        'reference',
        'reference_origin',
        'metadata',
      ],
    },
  },
  customer_subscriptions: everything,
  customers: {
    create: true,
    read: 'related',
    which: 'who orders, of orders it sees',
    fields: { read: ['email', 'has_password', 'customer_addresses', 'customer_payment_sources'] },
  },
  delivery_lead_times: { read: 'list', which: 'of shipping methods in scope' },
  geocoders: { read: 'single' },
  gift_card_recipients: everything,
  gift_cards: { ...everything, which: 'drafts', rows: { all: { status_eq: 'draft' } } },
  in_stock_subscriptions: { create: true, read: 'single', which: 'of the market in scope' },
  line_item_options: { ...everything, which: BY_ORDER, rows: ofOrder('line_item_order_status') },
  line_items: { ...everything, which: BY_ORDER, rows: writesByOrder('order_status') },
  notifications: { read: 'related', which: 'of orders, lines and shipping methods it sees' },
  orders: {
    create: true,
    read: 'single',
    update: true,
    which: `${BY_ORDER}; only guests' orders while \`orders_sales_channel_guest_only\` is on`,
    rows: { update: { status_in: WRITABLE_ORDER_STATUSES } },
  },
  organizations: { read: 'single', which: "the token's own" },
  payment_methods: { read: 'list', which: 'enabled ones of the market or store in scope' },
  prices: { read: 'list', which: "of the market's price list" },
  promotions: { read: 'list', which: 'enabled ones of the market in scope' },
  return_line_items: { create: true, read: 'single' },
  returns: {
    create: true,
    read: 'single',
    update: true,
    which: 'of orders that it sees, changed while they are drafts',
    rows: { update: { status_eq: 'draft' } },
  },
  shipment_line_items: { read: 'single', which: "by the order's status" },
  shipments: {
    read: 'single',
    update: true,
    which: BY_ORDER,
    rows: {
      read: whileOrder('order_status', READABLE_ORDER_STATUSES),
      update: whileOrder('order_status', WRITABLE_ORDER_STATUSES),
    },
  },
  shipping_methods: { read: 'list', which: 'enabled ones of the market in scope' },
  sku_list_items: { read: 'single', which: "of the shop's lists" },
  sku_lists: { read: 'single', which: "the shop's" },
  sku_options: { read: 'list', which: 'of the market in scope' },
  skus: { read: 'list', which: 'sellable in the market in scope' },
  stock_items: { read: 'list', which: "in the market's stock locations" },
  stock_line_items: { read: 'single', which: "by the order's status" },
  stock_transfers: { read: 'single', which: "by the order's status" },
  ...Object.fromEntries(PAYMENT_SOURCES.map((type) => [type, paymentSource])),
  // In no table of the vendor's, but what the vendor's own storefronts include: the rows in scope, no lists.
  markets: { read: 'related', which: 'in scope' },
  price_lists: { read: 'related' },
  shipping_categories: { read: 'related' },
  stock_locations: { read: 'related', which: "the market's" },
  stores: { read: 'related', which: 'of the market in scope' },
}

/** What a token that speaks for a customer may do besides: password grant, and JWT bearer with a customer. */
export const customerPermissions: PermissionTable = {
  customer_addresses: { ...everything, read: 'list', which: "the customer's" },
  customer_groups: { read: 'related', which: "the customer's" },
  customer_payment_sources: { read: 'list', update: true, destroy: true, which: "the customer's" },
  customer_subscriptions: { ...everything, read: 'list', which: "the customer's" },
  customers: { read: 'single', update: true, destroy: true, which: 'the customer alone' },
  line_item_options: {
    ...everything,
    which: "of the customer's orders, read in any status, written while the order is draft or pending",
    rows: writesByOrder('line_item_order_status'),
  },
  line_items: {
    ...everything,
    which: "of the customer's orders, read in any status, written while the order is draft or pending",
    rows: writesByOrder('order_status'),
  },
  orders: {
    create: true,
    read: 'list',
    update: true,
    which: "the customer's, read in any status, changed while draft or pending",
    rows: { update: { status_in: WRITABLE_ORDER_STATUSES } },
  },
  order_subscriptions: { read: 'related', which: "the customer's" },
  parcels: { read: 'single', which: "of the customer's orders" },
  shipments: {
    read: 'single',
    update: true,
    which: "of the customer's orders, read in any status, changed while the order is draft or pending",
    rows: { update: whileOrder('order_status', WRITABLE_ORDER_STATUSES) },
  },
  sku_list_items: {
    ...everything,
    which: "of the shop's lists and the customer's, written of the customer's",
  },
  sku_lists: { ...everything, which: "the shop's and the customer's, written the customer's" },
}

/** Whatever can be tagged; tags are the shop's own. */
export const TAGGABLE: readonly string[] = [
  'addresses',
  'bundles',
  'buy_x_pay_y_promotions',
  'coupons',
  'customers',
  'external_promotions',
  'fixed_amount_promotions',
  'fixed_price_promotions',
  'flex_promotions',
  'free_gift_promotions',
  'free_shipping_promotions',
  'gift_cards',
  'line_item_options',
  'line_items',
  'order_subscriptions',
  'orders',
  'percentage_discount_promotions',
  'promotions',
  'returns',
  'shipments',
  'shipping_methods',
  'sku_options',
  'skus',
]

const TAG_FIELDS = ['_add_tags', '_remove_tags', 'tags'] as const

const prohibitedByType: Readonly<Record<string, readonly string[]>> = {
  customers: ['_request_anonymization', '_cancel_anonymization'],
  events: ['_trigger'],
  external_gateways: ['_reset_circuit'],
  external_promotions: ['_reset_circuit'],
  external_tax_calculators: ['_reset_circuit'],
  line_item_options: ['unit_amount_cents'],
  line_items: [
    '_reserve_stock',
    '_reset_circuit',
    '_reset_restocked_quantity',
    'options_amount_cents',
    'unit_amount_cents',
  ],
  orders: [
    '_approve',
    '_approve_and_capture',
    '_capture',
    '_fix_payment_source',
    '_fulfill',
    '_pending',
    '_refresh_prices',
    '_refund',
    '_reset_circuit',
    '_start_editing',
    '_stop_editing',
    'expiration_info',
    'expires_at',
    'number',
  ],
  shipment_line_items: ['_decrement_stock', '_release_stock', '_reserve_stock'],
  shipments: ['_cancel', '_decrement_stock', '_release_stock', '_reserve_stock', '_upcoming', 'number'],
  shipping_methods: ['_reset_circuit'],
  stock_items: ['_validate'],
  stock_line_items: ['_decrement_stock', '_release_stock', '_reserve_stock'],
  webhooks: ['_reset_circuit'],
}

/** Type → attributes, triggers and relationships that no sales channel may send, whatever else it may do. */
export const prohibitedFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...new Set([...Object.keys(prohibitedByType), ...TAGGABLE])]
    .toSorted()
    .map((type) => [
      type,
      [...(prohibitedByType[type] ?? []), ...(TAGGABLE.includes(type) ? TAG_FIELDS : [])],
    ]),
)
