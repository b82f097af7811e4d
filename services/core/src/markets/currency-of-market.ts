import type { Rule } from '@merx/jsonapi/rules'

/** What is priced for a market and has no currency takes that of the market's price list; without either it has none. */
export const currencyOfMarket: Rule = async ({ after, sent, find }) => {
  if (typeof after['currency_code'] === 'string') return {}
  // That the market is unknown was said already.
  if (sent.has('market') && after['market_id'] === undefined) return {}
  const number = after['market_id'] ?? null
  const market = number === null ? undefined : await find.byNumber('markets', number)
  const list = market === undefined ? undefined : await find.byNumber('price_lists', market['price_list_id'])
  if (list !== undefined) return { set: { currency_code: list['currency_code'] } }
  const message = "can't be blank, unless a market is given"
  return { violations: [{ at: { attribute: 'currency_code' }, error: 'blank', message }] }
}
