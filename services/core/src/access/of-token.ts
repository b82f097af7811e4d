/** Whom and where the token of a request is for, as numbers: what `jwt_customer`, `jwt_markets` and `jwt_stock_locations` lead to. */
import type { RequestScope } from './request-scope.ts'

export interface OfToken {
  /** None or one. */
  readonly jwt_customer: readonly number[]
  readonly jwt_markets: readonly number[]
  readonly jwt_stock_locations: readonly number[]
}

export const ofToken = ({ salesChannel, markets = [] }: RequestScope): OfToken => ({
  jwt_customer: salesChannel?.customerId === undefined ? [] : [salesChannel.customerId],
  jwt_markets: markets.map(({ id }) => id),
  jwt_stock_locations: [...new Set(markets.flatMap(({ stockLocationIds }) => stockLocationIds))],
})
