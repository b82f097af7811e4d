import type { Rule, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { countryOf, customerOf, marketOf, termsOf, storeOf } from './order-market.ts'

/** A change of market, customer, store or address: what follows from it. */
export const linksOfOrder: Rule = async (context): Promise<RuleOutcome> => {
  const { operation, before, after, sent } = context
  if (operation === 'create' || before === undefined) return {}
  const set: Record<string, unknown> = {}
  const violations: WriteViolation[] = []
  if (sent.has('market') && after['market_id'] !== before['market_id']) {
    const found = await marketOf(context)
    if ('fault' in found) violations.push(found.fault)
    else Object.assign(set, await termsOf(found.market, context))
  }
  if (sent.has('store') || (sent.has('market') && (after['store_id'] ?? null) !== null)) {
    const store = await storeOf(context, after['market_id'])
    if ('fault' in store) violations.push(store.fault)
    else Object.assign(set, store.columns)
  }
  if (sent.has('customer')) Object.assign(set, await customerOf(context))
  if (sent.has('shipping_address') || sent.has('billing_address')) {
    set['country_code'] = await countryOf(context)
  }
  return violations.length === 0 ? { set } : { violations }
}
