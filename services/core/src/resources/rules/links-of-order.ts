import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteFault } from '@merx/jsonapi/rules'
import { countryOf, customerOf, storeOf } from './order-of-scope.ts'

/** A change of customer, store or address: what follows from it, and what must hold after it. */
export const linksOfOrder: Rule = async (context): Promise<RuleOutcome> => {
  const { operation, before, after, sent } = context
  if (operation === 'create' || before === undefined) return {}
  const set: Record<string, unknown> = {}
  const faults: WriteFault[] = []
  if (sent.has('store')) {
    const store = await storeOf(context, after['market_id'])
    if ('fault' in store) faults.push(store.fault)
    else Object.assign(set, store.columns)
  }
  if (sent.has('customer')) Object.assign(set, await customerOf(context))
  if (sent.has('shipping_address') || sent.has('billing_address')) {
    set['country_code'] = await countryOf(context)
  }
  faults.push(...missingCustomer(context, { ...after, ...set }))
  return faults.length === 0 ? { set } : { faults }
}

/** Only a draft has nobody who orders (lifecycles.md 1.2). */
const missingCustomer = ({ before, sent }: RuleContext, row: Row): readonly WriteFault[] => {
  const isNobodys = (row['customer_id'] ?? null) === null && (row['customer_email'] ?? '') === ''
  const isConcerned = sent.has('customer') || sent.has('customer_email')
  if (!isConcerned || !isNobodys || before?.['status'] === 'draft') return []
  const at = sent.has('customer') ? { relationship: 'customer' } : { attribute: 'customer_email' }
  return [{ at, error: 'blank', message: "can't be blank unless the order is a draft" }]
}
