/**
 * Which payment methods are offered: those of the store, or those of its market when the store has none (contract,
 * Scopes rule 5). Methods of no market and no store are offered everywhere in their currency.
 */
import type { Visibility, VirtualRelationship } from '../engine/area.ts'
import type { Statement } from '../engine/sql/params.ts'

/** SQL expressions of what an order has. */
interface Place {
  readonly environment: string
  readonly store: string
  readonly market: string
  readonly currency: string
}

/** Whether the enabled method under `method` is offered to an order. */
const isOffered = (method: string, { environment, store, market, currency }: Place): string =>
  `${method}.currency_code = ${currency} AND CASE WHEN EXISTS (
      SELECT 1 FROM payment_methods AS of_store
      WHERE of_store.environment_id = ${environment} AND of_store.store_id = ${store}
        AND of_store.disabled_at IS NULL)
    THEN ${method}.store_id = ${store}
    ELSE ${method}.store_id IS NULL AND (${method}.market_id = ${market} OR ${method}.market_id IS NULL) END`

/** `orders.available_payment_methods`. */
export const availablePaymentMethods: VirtualRelationship = ({ owner, target }, { params }) => [
  `${target}.disabled_at IS NULL`,
  isOffered(target, {
    environment: params.environment,
    store: `${owner}.store_id`,
    market: `${owner}.market_id`,
    currency: `${owner}.currency_code`,
  }),
]

/** `orders.available_customer_payment_sources`: what the customer of the order has in the wallet, as far as the order can be paid so. */
export const availableCustomerPaymentSources: VirtualRelationship = ({ owner, target }, { params }) => [
  `${target}.customer_id = ${owner}.customer_id`,
  `${target}.payment_source_id IS NOT NULL`,
  `(${target}.payment_method_id IS NULL OR EXISTS (SELECT FROM payment_methods AS methods
    WHERE methods.environment_id = ${params.environment} AND methods.id = ${target}.payment_method_id
      AND methods.disabled_at IS NULL AND ${isOffered('methods', {
        environment: params.environment,
        store: `${owner}.store_id`,
        market: `${owner}.market_id`,
        currency: `${owner}.currency_code`,
      })}))`,
]

/** The default is a method of no market in the order's currency; the oldest enabled one (lifecycles.md 6). */
export const defaultPaymentMethod: VirtualRelationship = ({ owner, target }, { params }) => [
  `${target}.id = (SELECT min(anywhere.id) FROM payment_methods AS anywhere
    WHERE anywhere.environment_id = ${params.environment} AND anywhere.market_id IS NULL
      AND anywhere.store_id IS NULL AND anywhere.disabled_at IS NULL
      AND anywhere.currency_code = ${owner}.currency_code)`,
]

/** Returns one row when the order may use the method: `$1` environment, `$2` method, `$3` store, `$4` market, `$5` currency. */
export const selectOfferedMethod = (
  environmentId: number,
  method: unknown,
  order: { readonly store: unknown; readonly market: unknown; readonly currency: unknown },
): Statement => ({
  text: `SELECT methods.id FROM payment_methods AS methods
    WHERE methods.environment_id = $1 AND methods.id = $2 AND methods.disabled_at IS NULL
      AND ${isOffered('methods', { environment: '$1', store: '$3', market: '$4', currency: '$5' })}`,
  values: [environmentId, method, order.store, order.market, order.currency],
})

/** Methods under a scope. Sales channels do not see disabled methods. */
export const paymentMethodVisibility: Visibility = (alias, { scope, params }) => {
  const enabled = scope.salesChannel === undefined ? [] : [`${alias}.disabled_at IS NULL`]
  if (scope.markets === undefined) return enabled
  const ids = params.add(
    scope.markets.map(({ id }) => id),
    'bigint[]',
  )
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
