/** Relationships that no column stores: how target rows belong to an owner row, by the name definitions use. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Build } from './relations.ts'

export type VirtualSource = (
  aliases: { readonly owner: string; readonly target: string },
  build: Build,
  /** The definition of the owner rows. */
  from: ResourceDefinition,
) => readonly string[]

/** Rule 5: what an order may be paid with is the methods of its store, or those of its market when the store has none. */
const orderAvailablePaymentMethods: VirtualSource = ({ owner, target }, { params }) => [
  `${target}.disabled_at IS NULL`,
  `CASE WHEN EXISTS (
      SELECT 1 FROM payment_methods AS of_store
      WHERE of_store.environment_id = ${params.environment} AND of_store.store_id = ${owner}.store_id
        AND of_store.disabled_at IS NULL)
    THEN ${target}.store_id = ${owner}.store_id
    ELSE ${target}.store_id IS NULL AND (${target}.market_id = ${owner}.market_id
      OR (${target}.market_id IS NULL AND ${target}.currency_code = ${owner}.currency_code)) END`,
]

/** lifecycles.md 6: the default is a method of no market in the order's currency; the oldest enabled one. */
const orderDefaultPaymentMethod: VirtualSource = ({ owner, target }, { params }) => [
  `${target}.id = (SELECT min(anywhere.id) FROM payment_methods AS anywhere
    WHERE anywhere.environment_id = ${params.environment} AND anywhere.market_id IS NULL
      AND anywhere.store_id IS NULL AND anywhere.disabled_at IS NULL
      AND anywhere.currency_code = ${owner}.currency_code)`,
]

/** The row source of types that are not built yet (resources/planned-types.ts): no rows. */
export const PLANNED_SOURCE = 'planned'

const planned: VirtualSource = () => ['false']

/** Rows of versions or events: of the record's own type, also when it was reached through an abstract one. */
const logOfRecord: VirtualSource = ({ owner, target }, { params }, { type }) => [
  `${target}.resource_type = ${params.add(type, 'text')}`,
  `${target}.record_id = ${owner}.id`,
]

/** The customer, markets and stock locations that the token speaks for; the owner row does not matter. */
const customerOfToken: VirtualSource = ({ target }, { params, scope }) => {
  const number = scope.salesChannel?.customerId
  return number === undefined ? ['false'] : [`${target}.id = ${params.add(number, 'bigint')}`]
}

const marketsOfToken: VirtualSource = ({ target }, { params, scope }) => {
  const numbers = (scope.markets ?? []).map(({ id }) => id)
  return [`${target}.id = ANY(${params.add(numbers, 'bigint[]')})`]
}

const stockLocationsOfToken: VirtualSource = ({ target }, { params, scope }) => {
  const numbers = (scope.markets ?? []).flatMap(({ stockLocationIds }) => stockLocationIds)
  return [`${target}.id = ANY(${params.add(numbers, 'bigint[]')})`]
}

const sources: Readonly<Record<string, VirtualSource>> = {
  customer_of_token: customerOfToken,
  log_of_record: logOfRecord,
  markets_of_token: marketsOfToken,
  order_available_payment_methods: orderAvailablePaymentMethods,
  order_default_payment_method: orderDefaultPaymentMethod,
  [PLANNED_SOURCE]: planned,
  stock_locations_of_token: stockLocationsOfToken,
}

/** Names that relationships may give as `virtual`. */
export const virtualSourceNames: readonly string[] = Object.keys(sources)

/** Throws on an unknown name; `checkSources` finds those at load. */
export const virtualSource = (name: string): VirtualSource => {
  const source = sources[name]
  if (source === undefined) throw new Error(`no row source is named "${name}"`)
  return source
}
