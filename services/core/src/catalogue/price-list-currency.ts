import type { Rule } from '@merx/jsonapi/rules'

/**
 * The currency of a price list is that of its prices, and an amount of another currency is another amount: it changes
 * only while the list has none. The database holds to it when a price comes at the same moment (prices_price_list_fkey).
 */
export const currencyOfPrices: Rule = async ({ before, after, sent, find }) => {
  if (before === undefined || !sent.has('currency_code')) return {}
  const { id, currency_code: currency } = before
  if (after['currency_code'] === currency) return {}
  if ((await find.count('prices', { price_list_id: id })) === 0) return {}
  const message = `cannot be changed while the list has prices in ${String(currency)}`
  return { violations: [{ at: { attribute: 'currency_code' }, error: 'has_prices', message }] }
}
