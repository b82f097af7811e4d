/** What prices come to for whoever buys: the customer and the market of an order or a subscription, under the rules in force. */
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import type { PriceAmounts } from './apply-actions.ts'
import { askPriceRules } from './ask-price-rules.ts'

/** A price as a statement read it, with `rulesInForce`. */
export interface PriceWithRules extends PriceAmounts {
  readonly price_id: number
  readonly documents: readonly unknown[]
}

export interface Buyer {
  readonly customer_id: number | null
  readonly market_id: number
}

/** The same prices, in the same order, with their amounts after rules. Throws as `askPriceRules`. */
export const pricesForBuyer = async <P extends PriceWithRules>(
  prices: readonly P[],
  { customer_id: customer, market_id: market }: Buyer,
  step: Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'now'>,
): Promise<readonly P[]> => {
  const documents = new Map(prices.map((price) => [price.price_id, price.documents]))
  const buyer = {
    jwt_customer: customer === null ? [] : [customer],
    jwt_markets: [market],
    jwt_stock_locations: [],
  }
  const asked = await askPriceRules(documents, buyer, step)
  return prices.map((price) => {
    const ruled = asked.get(price.price_id)
    if (ruled === undefined) return price
    const { amount_cents, compare_at_amount_cents } = ruled
    return { ...price, amount_cents, compare_at_amount_cents }
  })
}
