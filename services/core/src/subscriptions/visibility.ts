/** Subscriptions under a scope: of its markets, and for a sales channel those of its customer. */
import { subscriptionVisibility } from '../customers/visibility.ts'
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

export const inStockVisibility: Visibility = (alias, build) => [
  ...ofMarketVisibility(alias, build),
  ...subscriptionVisibility(alias, build),
]

export const ofMarketVisibility: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  const numbers = markets.map(({ id }) => id)
  return [`${alias}.market_id = ANY(${params.add(numbers, 'bigint[]')})`]
}

/** Items are seen with their subscription. */
export const ofSubscription: Visibility = (alias, build) =>
  visibleThrough('order_subscriptions', 'order_subscription_id', alias, build)

/** Copies are seen with the order that they copy. */
export const ofSourceOrder: Visibility = (alias, build) =>
  visibleThrough('orders', 'source_order_id', alias, build)
