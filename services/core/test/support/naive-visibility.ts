/** Which rows a market in scope shows, worked out row by row in memory: what SQL is held against. */
import { VENDOR_SOURCES } from '../../src/payments/vendors/vendors.ts'
import { RULE_TYPES } from '../../src/promotions/promotion-rules.ts'
import { PROMOTION_TYPES } from '../../src/promotions/promotion-types.ts'

export type Rows = readonly Readonly<Record<string, unknown>>[]
/** The rows of an environment, by table. */
export type Tables = ReadonlyMap<string, Rows>
export type RowTest = (row: Readonly<Record<string, unknown>>) => boolean

const rowsOf = (tables: Tables, table: string): Rows => tables.get(table) ?? []

const numbersOf = (rows: Rows): ReadonlySet<unknown> => new Set(rows.map(({ id }) => id))

/** The rules of the contract's scopes 1, 2 and 5 and of ADR 12, for one market without a store. */
export const seenInMarket = (tables: Tables, marketId: number): Readonly<Record<string, RowTest>> => {
  const market = rowsOf(tables, 'markets').find(({ id }) => id === marketId)
  const locations = new Set(
    rowsOf(tables, 'inventory_stock_locations')
      .filter((row) => row['inventory_model_id'] === market?.['inventory_model_id'])
      .map((row) => row['stock_location_id']),
  )
  const currency = rowsOf(tables, 'price_lists').find(({ id }) => id === market?.['price_list_id'])?.[
    'currency_code'
  ]
  const ofMarket: RowTest = (row) => row['market_id'] === marketId
  const priced: RowTest = (row) => row['price_list_id'] === market?.['price_list_id']
  const stocked: RowTest = (row) => locations.has(row['stock_location_id'])
  const pricedSkus = new Set(
    rowsOf(tables, 'prices')
      .filter(priced)
      .map((row) => row['sku_id']),
  )
  const stockedSkus = new Set(
    rowsOf(tables, 'stock_items')
      .filter(stocked)
      .map((row) => row['sku_id']),
  )
  const prices = numbersOf(rowsOf(tables, 'prices').filter(priced))
  const ofPrice: RowTest = (row) => prices.has(row['price_id'])
  const orders = numbersOf(rowsOf(tables, 'orders').filter(ofMarket))
  const stores = numbersOf(rowsOf(tables, 'stores').filter(ofMarket))
  const shipments = numbersOf(rowsOf(tables, 'shipments').filter((row) => orders.has(row['order_id'])))
  const lineItems = numbersOf(rowsOf(tables, 'line_items').filter((row) => orders.has(row['order_id'])))
  const returns = numbersOf(rowsOf(tables, 'returns').filter((row) => orders.has(row['order_id'])))
  const parcels = numbersOf(rowsOf(tables, 'parcels').filter((row) => shipments.has(row['shipment_id'])))
  const stockItems = numbersOf(rowsOf(tables, 'stock_items').filter(stocked))
  const delivering: RowTest = (row) =>
    ofMarket(row) || (row['market_id'] === null && row['currency_code'] === currency)
  const methods = numbersOf(rowsOf(tables, 'shipping_methods').filter(delivering))
  const ofOrder: RowTest = (row) => orders.has(row['order_id'])
  const ofShipment: RowTest = (row) => shipments.has(row['shipment_id'])
  // A promotion without a currency is for every market.
  const promoting: RowTest = (row) =>
    ofMarket(row) ||
    (row['market_id'] === null && (row['currency_code'] === null || row['currency_code'] === currency))
  const promotions = numbersOf(rowsOf(tables, 'promotions').filter(promoting))
  const ofPromotion: RowTest = (row) => promotions.has(row['promotion_id'])
  const promotionRules = numbersOf(rowsOf(tables, 'promotion_rules').filter(ofPromotion))
  const ofMethod: RowTest = (row) => methods.has(row['shipping_method_id'])
  const ofStockItem: RowTest = (row) => stockItems.has(row['stock_item_id'])
  const subscriptions = numbersOf(rowsOf(tables, 'order_subscriptions').filter(ofMarket))
  const ofSource: RowTest = (row) => orders.has(row['source_order_id'])
  return {
    order_subscriptions: ofMarket,
    order_subscription_items: (row) => subscriptions.has(row['order_subscription_id']),
    order_factories: ofSource,
    order_copies: ofSource,
    recurring_order_copies: ofSource,
    delivery_lead_times: (row) => ofMethod(row) && stocked(row),
    packages: stocked,
    parcel_line_items: (row) => parcels.has(row['parcel_id']),
    parcels: ofShipment,
    reserved_stocks: ofStockItem,
    authorizations: ofOrder,
    captures: ofOrder,
    refunds: ofOrder,
    transactions: ofOrder,
    voids: ofOrder,
    wire_transfers: ofOrder,
    external_payments: ofOrder,
    ...Object.fromEntries(VENDOR_SOURCES.map((type) => [type, ofOrder])),
    payment_options: ofOrder,
    shipments: ofOrder,
    shipping_method_tiers: ofMethod,
    shipping_methods: delivering,
    sku_options: delivering,
    bundles: delivering,
    line_item_options: (row) => lineItems.has(row['line_item_id']),
    resource_errors: (row) => row['resource_type'] === 'orders' && orders.has(row['resource_id']),
    shipping_weight_tiers: ofMethod,
    stock_line_items: ofShipment,
    shipment_line_items: ofShipment,
    pickups: ofShipment,
    easypost_pickups: ofShipment,
    carrier_accounts: (row) => row['market_id'] === null || ofMarket(row),
    discount_engine_items: ofOrder,
    stock_reservations: (row) =>
      ofStockItem(row) && (row['order_id'] === null || orders.has(row['order_id'])),
    stock_transfers: (row) =>
      row['shipment_id'] === null ? locations.has(row['origin_stock_location_id']) : ofShipment(row),
    line_items: (row) => orders.has(row['order_id']),
    markets: ({ id }) => id === marketId,
    orders: ofMarket,
    payment_methods: (row) =>
      stores.has(row['store_id']) ||
      (row['store_id'] === null &&
        (ofMarket(row) || (row['market_id'] === null && row['currency_code'] === currency))),
    ...Object.fromEntries(['promotions', ...PROMOTION_TYPES].map((type) => [type, promoting])),
    ...Object.fromEntries(['promotion_rules', ...RULE_TYPES].map((type) => [type, ofPromotion])),
    gift_cards: delivering,
    returns: ofOrder,
    return_line_items: (row) => returns.has(row['return_id']),
    coupons: (row) => promotionRules.has(row['promotion_rule_id']),
    prices: priced,
    price_tiers: ofPrice,
    price_volume_tiers: ofPrice,
    price_frequency_tiers: ofPrice,
    in_stock_subscriptions: ofMarket,
    skus: ({ id }) =>
      ((market?.['external_prices_url'] ?? null) !== null || pricedSkus.has(id)) && stockedSkus.has(id),
    stock_items: stocked,
    stock_locations: ({ id }) => locations.has(id),
    stores: ofMarket,
    price_list_schedulers: ofMarket,
    order_validation_rules: ofMarket,
    billing_info_validation_rules: ofMarket,
  }
}

/** Rows that tell of another are seen when that one is. */
export const withOwners = (
  tests: Readonly<Record<string, RowTest>>,
  tables: Tables,
): Readonly<Record<string, RowTest>> => {
  const isSeen = (type: unknown, number: unknown): boolean => {
    const test = tests[String(type)]
    return test === undefined || rowsOf(tables, String(type)).some((row) => row['id'] === number && test(row))
  }
  const logged: RowTest = (row) => isSeen(row['resource_type'], row['record_id'])
  return {
    ...tests,
    attachments: (row) => isSeen(row['attachable_type'], row['attachable_id']),
    links: (row) => isSeen(row['item_type'], row['item_id']),
    notifications: (row) => isSeen(row['notifiable_type'], row['notifiable_id']),
    event_stores: logged,
    events: logged,
    versions: logged,
  }
}
