import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'

/** What a price says in the currency of its list. */
const AMOUNTS: readonly string[] = ['amount_cents', 'compare_at_amount_cents']

/**
 * A price is in the currency of its list. When it goes to a list in another one, its amounts are given again: 50 euro are
 * not 50 dollars. A list that does not exist is a violation of the relationship.
 */
export const currencyOfPriceList: Rule = async (context) => {
  const { sent, after, find } = context
  if (!sent.has('price_list')) return {}
  const list = await find.byNumber('price_lists', after['price_list_id'], ['currency_code'])
  if (list === undefined) return {}
  const violations = [...violationsOfAmounts(list, context), ...(await violationsOfTiers(list, context))]
  return violations.length === 0 ? { set: { currency_code: list['currency_code'] } } : { violations }
}

/** The amounts of tiers are of their price's currency too, and are written by themselves. */
const violationsOfTiers = async (
  { currency_code: currency }: Row,
  { before, find }: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const { id, currency_code: old } = columnsOf('Price', before ?? {})
  if (id === undefined || old === undefined || old === currency) return []
  if ((await find.count('price_tiers', { price_id: id })) === 0) return []
  const message = `is in ${String(currency)}, and the price has tiers in ${old}; delete them first`
  return [{ at: { relationship: 'price_list' }, error: 'currency_mismatch', message }]
}

const violationsOfAmounts = (list: Row, { before, sent }: RuleContext): readonly WriteViolation[] => {
  const { currency_code: currency } = list
  const { currency_code: old } = columnsOf('Price', before ?? {})
  if (before === undefined || old === undefined || old === currency) return []
  return AMOUNTS.filter((attribute) => !sent.has(attribute) && (before[attribute] ?? null) !== null).map(
    (attribute) => ({
      at: { attribute },
      error: 'currency_mismatch',
      message: `must be given in ${String(currency)} when the price goes from a price list in ${old} to one in ${String(currency)}`,
    }),
  )
}
