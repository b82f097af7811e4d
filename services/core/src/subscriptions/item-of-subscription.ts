import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { amountOfAdjustment } from '../definitions/amount-of-adjustment.ts'
import { rowOf } from '../engine/database/rows.ts'

const fault = (at: NonNullable<WriteViolation['at']>, error: string, message: string): RuleOutcome => ({
  violations: [{ at, error, message }],
})

/** An item is of a SKU, named by `item` or `sku_code`, and of a subscription that makes its orders from items. */
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
  if (sent.has('bundle_code') && (after['bundle_code'] ?? null) !== null)
    return fault(
      { attribute: 'bundle_code' },
      'not_supported',
      'cannot be sent yet, because there are no bundles',
    )
  const hasItem = sent.has('item') && typeof after['item_id'] === 'number'
  if (!hasItem && !sent.has('sku_code'))
    return operation === 'create'
      ? fault({ relationship: 'item' }, 'blank', "can't be blank, unless sku_code is given")
      : {}
  const currency = operation === 'create' ? await currencyOf(subscription.market_id, context) : {}
  const item = await itemOf(hasItem, currency['currency_code'], context)
  return item.violations === undefined ? { set: { ...item.set, ...currency } } : item
}

const itemOf = (byItem: boolean, currency: unknown, context: RuleContext): Promise<RuleOutcome> => {
  const type = byItem ? context.after['item_type'] : 'skus'
  if (type === 'adjustments') return adjustmentOf(currency, context)
  if (type === 'skus') return skuOf(byItem, context)
  const message = `cannot be ${String(type)} yet; allowed: skus, adjustments`
  return Promise.resolve(fault({ relationship: 'item' }, 'not_supported', message))
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
  return { set: { item_type: 'skus', item_id: sku['id'], sku_code: sku['code'] } }
}
