import type { Rule } from '@merx/jsonapi/rules'

/** A price is in the currency of its list. A list that does not exist is the relationship's own fault. */
export const currencyOfPriceList: Rule = async ({ sent, after, find }) => {
  if (!sent.has('price_list')) return {}
  const list = await find.byNumber('price_lists', after['price_list_id'], ['currency_code'])
  return list === undefined ? {} : { set: { currency_code: list['currency_code'] } }
}
