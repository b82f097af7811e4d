/**
 * Which rows of each type a request sees beside those of its environment: scope and sales-channel rules as SQL, so
 * that counts, pages, includes, related endpoints and filters through relationships all agree. A type that is not
 * listed is seen whole.
 */
import { READABLE_ORDER_STATUSES } from '@merx/access-token/sales-channel-permissions'
import type { MarketScope, RequestScope } from '../../access/request-scope.ts'
import { sellable } from '../../catalogue/sellable.ts'
import type { Params } from './params.ts'

type Visibility = (alias: string, scope: RequestScope, params: Params) => readonly string[]

/** The extra conditions on rows of `type` under `alias`; an empty list means all of the environment. */
export const visibilityOf = (
  type: string,
  alias: string,
  scope: RequestScope,
  params: Params,
): readonly string[] => rules[type]?.(alias, scope, params) ?? []

const idsOf = (markets: readonly MarketScope[]): readonly number[] => markets.map(({ id }) => id)

const locationsOf = (markets: readonly MarketScope[]): readonly number[] => [
  ...new Set(markets.flatMap(({ stockLocationIds }) => stockLocationIds)),
]

const skus: Visibility = (alias, { markets }, params) =>
  markets === undefined ? [] : [sellable(alias, markets, params)]

const prices: Visibility = (alias, { markets }, params) => {
  if (markets === undefined) return []
  const lists = [...new Set(markets.map(({ priceListId }) => priceListId))]
  return [`${alias}.price_list_id = ANY(${params.add(lists, 'bigint[]')})`]
}

const stockItems: Visibility = (alias, { markets }, params) =>
  markets === undefined
    ? []
    : [`${alias}.stock_location_id = ANY(${params.add(locationsOf(markets), 'bigint[]')})`]

const stockLocations: Visibility = (alias, { markets }, params) =>
  markets === undefined ? [] : [`${alias}.id = ANY(${params.add(locationsOf(markets), 'bigint[]')})`]

const markets: Visibility = (alias, { markets: inScope }, params) =>
  inScope === undefined ? [] : [`${alias}.id = ANY(${params.add(idsOf(inScope), 'bigint[]')})`]

const stores: Visibility = (alias, scope, params) => {
  if (scope.markets === undefined) return []
  const ofMarkets = `${alias}.market_id = ANY(${params.add(idsOf(scope.markets), 'bigint[]')})`
  if (scope.storeId === undefined) return [ofMarkets]
  return [ofMarkets, `${alias}.id = ${params.add(scope.storeId, 'bigint')}`]
}

/**
 * Rule 5: the store's own methods, or the market's when the store has none. Methods of no market and no store are
 * everybody's in their currency. Disabled ones are hidden from sales channels only.
 */
const paymentMethods: Visibility = (alias, scope, params) => {
  const enabled = scope.salesChannel === undefined ? [] : [`${alias}.disabled_at IS NULL`]
  if (scope.markets === undefined) return enabled
  const ids = params.add(idsOf(scope.markets), 'bigint[]')
  const currencies = params.add([...new Set(scope.markets.map(({ currencyCode }) => currencyCode))], 'text[]')
  const ofMarkets = `(${alias}.store_id IS NULL AND (${alias}.market_id = ANY(${ids})
    OR (${alias}.market_id IS NULL AND ${alias}.currency_code = ANY(${currencies}))))`
  if (scope.storeId === undefined) {
    return [
      ...enabled,
      `(${ofMarkets} OR ${alias}.store_id IN (SELECT its_store.id FROM stores AS its_store
      WHERE its_store.environment_id = ${params.environment} AND its_store.market_id = ANY(${ids})))`,
    ]
  }
  if (scope.markets.length === 0) return ['false']
  const store = params.add(scope.storeId, 'bigint')
  return [
    ...enabled,
    `(${alias}.store_id = ${store} OR (${ofMarkets} AND NOT EXISTS (
      SELECT 1 FROM payment_methods AS own_method
      WHERE own_method.environment_id = ${params.environment} AND own_method.store_id = ${store}
        AND own_method.disabled_at IS NULL)))`,
  ]
}

const orders: Visibility = (alias, scope, params) => {
  const { salesChannel } = scope
  return [
    ...(scope.markets === undefined
      ? []
      : [`${alias}.market_id = ANY(${params.add(idsOf(scope.markets), 'bigint[]')})`]),
    ...(scope.storeId === undefined ? [] : [`${alias}.store_id = ${params.add(scope.storeId, 'bigint')}`]),
    ...(salesChannel === undefined ? [] : ordersOf(alias, salesChannel, params)),
  ]
}

/** A customer sees their own orders in any status; a guest those still being made, and by setting only guests'. */
const ordersOf = (
  alias: string,
  { customerId, seesGuestOrdersOnly }: NonNullable<RequestScope['salesChannel']>,
  params: Params,
): readonly string[] => {
  if (customerId !== undefined) return [`${alias}.customer_id = ${params.add(customerId, 'bigint')}`]
  const readable = `${alias}.status = ANY(${params.add(READABLE_ORDER_STATUSES, 'text[]')})`
  return seesGuestOrdersOnly ? [readable, `(${alias}.guest OR ${alias}.customer_id IS NULL)`] : [readable]
}

const lineItems: Visibility = (alias, scope, params) => {
  const ofOrder = orders('its_order', scope, params)
  if (ofOrder.length === 0) return []
  return [
    `EXISTS (SELECT 1 FROM orders AS its_order
      WHERE its_order.environment_id = ${params.environment} AND its_order.id = ${alias}.order_id
        AND ${ofOrder.join(' AND ')})`,
  ]
}

/**
 * A sales channel sees addresses that belong to nobody yet or only to orders it sees; those of the shop itself and of
 * other people's orders it never sees.
 */
const addresses: Visibility = (alias, scope, params) => {
  if (scope.salesChannel === undefined) return []
  const seen = orders('its_order', scope, params).join(' AND ')
  const ofOrder = (column: string): string => `NOT EXISTS (SELECT 1 FROM orders AS its_order
    WHERE its_order.environment_id = ${params.environment} AND its_order.${column} = ${alias}.id
      AND (${seen}) IS NOT TRUE)`
  const ofShop = (table: string): string => `NOT EXISTS (SELECT 1 FROM ${table} AS its_owner
    WHERE its_owner.environment_id = ${params.environment} AND its_owner.address_id = ${alias}.id)`
  return [
    ofShop('merchants'),
    ofShop('stock_locations'),
    ofOrder('shipping_address_id'),
    ofOrder('billing_address_id'),
  ]
}

/** A customer sees only themselves; a guest no customer at all. */
const customers: Visibility = (alias, { salesChannel }, params) => {
  if (salesChannel === undefined) return []
  if (salesChannel.customerId === undefined) return ['false']
  return [`${alias}.id = ${params.add(salesChannel.customerId, 'bigint')}`]
}

/** What is attached to a record, or was written to it, is seen with it; that of a deleted one only by who sees all. */
const withRecord =
  (typeColumn: string, idColumn: string): Visibility =>
  (alias, scope, params) => {
    const narrowed = Object.entries(ownRules).flatMap(([type, rule]) => {
      const conditions = rule('its_record', scope, params)
      return conditions.length === 0 ? [] : [{ type, conditions: conditions.join(' AND ') }]
    })
    if (narrowed.length === 0) return []
    const types = params.add(
      narrowed.map(({ type }) => type),
      'text[]',
    )
    const seen = narrowed.map(
      ({ type, conditions }) => `(${alias}.${typeColumn} = '${type}' AND EXISTS (
        SELECT 1 FROM ${type} AS its_record WHERE its_record.environment_id = ${params.environment}
          AND its_record.id = ${alias}.${idColumn} AND ${conditions}))`,
    )
    return [`(${alias}.${typeColumn} <> ALL(${types}) OR ${seen.join(' OR ')})`]
  }

/** Types whose rows are narrowed by themselves; each is named like its table. */
const ownRules: Readonly<Record<string, Visibility>> = {
  addresses,
  customers,
  line_items: lineItems,
  markets,
  orders,
  payment_methods: paymentMethods,
  prices,
  skus,
  stock_items: stockItems,
  stock_locations: stockLocations,
  stores,
}

const rules: Readonly<Record<string, Visibility>> = {
  ...ownRules,
  attachments: withRecord('attachable_type', 'attachable_id'),
  event_stores: withRecord('resource_type', 'record_id'),
  events: withRecord('resource_type', 'record_id'),
  versions: withRecord('resource_type', 'record_id'),
}
