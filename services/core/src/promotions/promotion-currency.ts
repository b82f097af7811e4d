/** The currency of a promotion is that of its market; without a market it may have one, and some types need one. */
import type { Rule } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'

export const currencyOfPromotion: Rule = async ({ after, sent, find }) => {
  // That the market is unknown was said already.
  if (sent.has('market') && after['market_id'] === undefined) return {}
  if (!sent.has('market') && !sent.has('currency_code')) return {}
  const { market_id: number = null, currency_code: code = null } = columnsOf('Promotion', after)
  if (number === null) return {}
  const market = await find.byNumber('markets', number)
  const list = market === undefined ? undefined : await find.byNumber('price_lists', market['price_list_id'])
  if (list === undefined) return {}
  const { currency_code: currency } = columnsOf('PriceList', list)
  if (code === null || code === currency || !sent.has('currency_code'))
    return { set: { currency_code: currency } }
  const message = `must be ${String(currency)}, the currency of the market, or left out`
  return {
    violations: [{ at: { attribute: 'currency_code' }, error: 'currency_mismatch', message, value: code }],
  }
}

/** An amount without a currency is none. */
export const withCurrency: Rule = ({ after, sent }) => {
  if (sent.has('market') && after['market_id'] === undefined) return {}
  if (typeof after['currency_code'] === 'string') return {}
  const message = "can't be blank, unless a market is given"
  return { violations: [{ at: { attribute: 'currency_code' }, error: 'blank', message }] }
}

/** 50 euro are not 50 dollars: in another currency the amount is given again. */
export const amountsInCurrency: Rule = ({ before, after, sent }) => {
  const { currency_code: old } = columnsOf('Promotion', before ?? {})
  const { currency_code: currency } = columnsOf('Promotion', after)
  if (before === undefined || sent.has('fixed_amount_cents') || old === currency) return {}
  const message = `must be given in ${String(currency)} when the promotion was in ${String(old)}`
  return {
    violations: [{ at: { attribute: 'fixed_amount_cents' }, error: 'currency_mismatch', message }],
  }
}
