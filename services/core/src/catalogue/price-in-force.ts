/**
 * The one price of a SKU in a market: that of the list in force, or of the base list where the list in force has none
 * (docs/adr/0119-a-job-switches-the-price-list-of-a-market.md).
 */

export interface PriceQuery {
  /** SQL of the SKU's number. */
  readonly sku: string
  /** SQL of a currency; a price in another one is none. */
  readonly currency?: string
}

/** To be joined as `prices` to a row of `markets`; the environment is $1. */
export const priceInForce = ({ sku, currency }: PriceQuery): string => `LATERAL (
    SELECT offered.* FROM prices AS offered
    WHERE offered.environment_id = $1 AND offered.sku_id = ${sku}
      AND offered.price_list_id IN (markets.price_list_id, markets.base_price_list_id)
      ${currency === undefined ? '' : `AND offered.currency_code = ${currency}`}
    ORDER BY offered.price_list_id = markets.price_list_id DESC LIMIT 1
  ) AS prices`
