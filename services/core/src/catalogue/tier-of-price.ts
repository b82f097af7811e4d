import type { Rule } from '@merx/jsonapi/rules'

/** Of both kinds together. */
export const TIERS_PER_PRICE_MAX = 10

/** A tier is in the currency of its price, which has ten at most. */
export const tierOfPrice: Rule = async ({ before, after, sent, find }) => {
  if (!sent.has('price')) return {}
  const number = after['price_id']
  const price = await find.byNumber('prices', number, ['currency_code'])
  // That the price is unknown was said already.
  if (price === undefined) return {}
  const set = { currency_code: price['currency_code'] }
  if (before?.['price_id'] === number) return { set }
  const count = await find.count('price_tiers', { price_id: number })
  if (count < TIERS_PER_PRICE_MAX) return { set }
  const message = `has ${TIERS_PER_PRICE_MAX} tiers already, which is the most`
  return { violations: [{ at: { relationship: 'price' }, error: 'too_many', message, count }] }
}
