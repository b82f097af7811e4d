import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { amountOfAdjustment } from '../definitions/amount-of-adjustment.ts'
import { rowOf } from '../engine/database/rows.ts'

const fault = (at: NonNullable<WriteViolation['at']>, error: string, message: string): RuleOutcome => ({
  violations: [{ at, error, message }],
})

/** An item is of a SKU or a bundle, named by `item`, `sku_code` or `bundle_code`, or of an adjustment; and of a subscription that makes its orders from items. */
export const itemOfSubscription: Rule = async (context) => {
  const { operation, after, sent, find } = context
  const row = await find.byNumber('order_subscriptions', after['order_subscription_id'])
  if (row === undefined) return {}
  const subscription = rowOf('OrderSubscription', row)
  const at = { relationship: 'order_subscription' }
  if (subscription.subscription_model_id === null)
    return fault(
      at,
      'invalid',
      'copies its source order, so it has no items of its own; send _convert to it first',
    )
  if (subscription.status === 'cancelled') return fault(at, 'invalid_status', 'is cancelled')
  const hasItem = sent.has('item') && typeof after['item_id'] === 'number'
  if (!hasItem && !sent.has('sku_code') && !sent.has('bundle_code'))
    return operation === 'create'
      ? fault({ relationship: 'item' }, 'blank', "can't be blank, unless sku_code or bundle_code is given")
      : {}
  const { currency_code: currency } = await currencyOf(subscription.market_id, context)
  const item = await itemOf(hasItem, { market: subscription.market_id, currency }, context)
  return item.violations === undefined
    ? { set: { ...item.set, ...(operation === 'create' ? { currency_code: currency } : {}) } }
    : item
}

interface Place {
  readonly market: number
  readonly currency: unknown
}

const itemOf = async (byItem: boolean, place: Place, context: RuleContext): Promise<RuleOutcome> => {
  const { after } = context
  const isGiven = (name: string): boolean => context.sent.has(name) && (after[name] ?? null) !== null
  const type = byItem ? after['item_type'] : isGiven('bundle_code') ? 'bundles' : 'skus'
  if (type === 'adjustments') return adjustmentOf(place.currency, context)
  if (type === 'bundles' && isGiven('sku_code'))
    return fault({ attribute: 'sku_code' }, 'invalid', 'cannot be sent for an item of a bundle')
  if (type === 'bundles') return bundleOf(byItem, place, context)
  if (isGiven('bundle_code'))
    return fault({ attribute: 'bundle_code' }, 'invalid', 'cannot be sent for an item of a SKU')
  return skuOf(byItem, context)
}

const bundleOf = async (
  byItem: boolean,
  { market, currency }: Place,
  { after, sent, find }: RuleContext,
): Promise<RuleOutcome> => {
  const code = after['bundle_code'] ?? null
  const found = byItem
    ? await find.byNumber('bundles', after['item_id'])
    : ((await find.byColumns('bundles', { code, market_id: market })) ??
      (await find.byColumns('bundles', { code, market_id: null })))
  const at = { attribute: 'bundle_code' }
  if (found === undefined)
    return fault(at, 'not_found', "must be the code of a bundle of the subscription's market")
  const bundle = rowOf('Bundle', found)
  if (byItem && sent.has('bundle_code') && code !== null && code !== bundle.code)
    return fault(at, 'invalid', 'must be the code of the item')
  const where = byItem ? { relationship: 'item' } : at
  if (bundle.market_id !== null && bundle.market_id !== market)
    return fault(where, 'other_market', 'is of another market than the subscription')
  if (bundle.currency_code !== currency)
    return fault(where, 'currency_mismatch', `must be in ${String(currency)}, the currency of the market`)
  return { set: { item_type: 'bundles', item_id: bundle.id, bundle_code: bundle.code, sku_code: null } }
}

const adjustmentOf = async (currency: unknown, { after, sent, find }: RuleContext): Promise<RuleOutcome> => {
  const adjustment = await find.byNumber('adjustments', after['item_id'], ['currency_code', 'amount_cents'])
  const at = { relationship: 'item' }
  if (adjustment?.['currency_code'] !== currency)
    return fault(at, 'currency_mismatch', `must be in ${String(currency)}, the currency of the market`)
  if (sent.has('unit_amount_cents')) return { violations: [amountOfAdjustment] }
  return { set: { unit_amount_cents: adjustment?.['amount_cents'] } }
}

const currencyOf = async (market: number, { find }: RuleContext): Promise<Row> => {
  const row = await find.byNumber('markets', market, ['price_list_id'])
  const list = await find.byNumber('price_lists', row?.['price_list_id'], ['currency_code'])
  return { currency_code: list?.['currency_code'] }
}

const skuOf = async (byItem: boolean, { after, sent, find }: RuleContext): Promise<RuleOutcome> => {
  const code = after['sku_code'] ?? null
  const sku = byItem
    ? await find.byNumber('skus', after['item_id'], ['id', 'code'])
    : typeof code === 'string'
      ? await find.byColumn('skus', 'code', code, ['id', 'code'])
      : undefined
  const at = { attribute: 'sku_code' }
  if (sku === undefined) return fault(at, 'not_found', 'must be the code of an existing SKU')
  if (byItem && sent.has('sku_code') && code !== null && code !== sku['code'])
    return fault(at, 'invalid', 'must be the code of the item')
  return { set: { item_type: 'skus', item_id: sku['id'], sku_code: sku['code'], bundle_code: null } }
}
