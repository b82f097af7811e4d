import type { Rule } from '@merx/jsonapi/rules'

export const TIERS_PER_METHOD_MAX = 5

/** A tier is in the currency of its method, which has five at most. */
export const tierOfMethod: Rule = async ({ before, after, sent, find }) => {
  if (!sent.has('shipping_method')) return {}
  const number = after['shipping_method_id']
  const method = await find.byNumber('shipping_methods', number, ['currency_code'])
  // That the method is unknown was said already.
  if (method === undefined) return {}
  const set = { currency_code: method['currency_code'] }
  if (before?.['shipping_method_id'] === number) return { set }
  const count = await find.count('shipping_method_tiers', { shipping_method_id: number })
  if (count < TIERS_PER_METHOD_MAX) return { set }
  const message = `has ${TIERS_PER_METHOD_MAX} tiers already, which is the most`
  return { violations: [{ at: { relationship: 'shipping_method' }, error: 'too_many', message, count }] }
}
