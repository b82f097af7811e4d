import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import { amountOfAdjustment } from '../definitions/amount-of-adjustment.ts'
import { ofAdjustment } from './line-item-adjustment.ts'
import { ofBundle } from './line-item-bundle.ts'
import { ofGiftCard } from './line-item-gift-card.ts'

/** What callers put into an order; everything else the order makes itself. */
export const ORDERED_TYPES: readonly string[] = ['skus', 'bundles', 'gift_cards', 'adjustments']

/**
 * A line is of a SKU or a bundle, named by `item`, `sku_code` or `bundle_code`, whose name and image it takes over, or of a gift
 * card; or, from an integration, of an adjustment, or of nothing but a name and an amount (lifecycles.md 2).
 */
export const itemOfLine: Rule = (context) =>
  context.operation === 'create' ? ofNew(context) : ofChanged(context)

const fault = (attribute: string, error: string, message: string, value?: unknown): WriteViolation => ({
  at: { attribute },
  error,
  message,
  ...(value === undefined ? {} : { value }),
})

const isGiven = (name: string, { sent, after }: RuleContext): boolean =>
  sent.has(name) && (after[name] ?? null) !== null

const ofNew = async (context: RuleContext): Promise<RuleOutcome> => {
  const { after, sent, writer } = context
  const type = after['item_type']
  // That the item is unknown was said already.
  if (sent.has('item') && type === undefined) return {}
  if (type === 'adjustments' && !writer.isSalesChannel) return ofAdjustment(context)
  if (type === 'gift_cards') return ofGiftCard(context)
  if (type === 'bundles' || (type === undefined && isGiven('bundle_code', context))) return ofBundle(context)
  if (type === 'skus' && isGiven('bundle_code', context) && writer.isImport !== true)
    return { violations: [fault('bundle_code', 'invalid', 'cannot be sent for a line item of a SKU')] }
  if (writer.isImport !== true && typeof type === 'string' && type !== 'skus') {
    return { violations: [unusable(type, context)] }
  }
  const code = after['sku_code'] ?? null
  if (code !== null || type === 'skus') return ofSku(context)
  const isBare = (after['name'] ?? null) !== null && (after['unit_amount_cents'] ?? null) !== null
  return isBare || writer.isImport === true ? {} : { violations: [nothing] }
}

const nothing: WriteViolation = {
  at: { relationship: 'item' },
  error: 'blank',
  message:
    "can't be blank, unless sku_code or bundle_code is given, or by an integration name and unit_amount_cents",
}

const unusable = (type: string, { sent, writer }: RuleContext): WriteViolation => {
  const reason = type === 'adjustments' ? 'which integrations add' : 'which the order makes itself'
  const allowed = writer.isSalesChannel ? 'skus, bundles, gift_cards' : ORDERED_TYPES.join(', ')
  return {
    at: sent.has('item') ? { relationship: 'item' } : { attribute: 'item_type' },
    error: 'invalid',
    message: `cannot be ${type}, ${reason}; allowed: ${allowed}`,
    value: type,
  }
}

const ofChanged = async (context: RuleContext): Promise<RuleOutcome> => {
  const { before, after, sent, writer } = context
  const isOfAdjustment = before?.['item_type'] === 'adjustments' && writer.isImport !== true
  if (isOfAdjustment && sent.has('unit_amount_cents')) return { violations: [amountOfAdjustment] }
  if (sent.has('bundle_code') && before?.['bundle_code'] !== after['bundle_code']) {
    if (before?.['item_type'] === 'bundles') return ofBundle(context)
    const message = 'cannot be given to a line item that is not of a bundle'
    return { violations: [fault('bundle_code', 'invalid', message)] }
  }
  if (!sent.has('sku_code') || before?.['sku_code'] === after['sku_code']) return {}
  if (before?.['item_type'] === 'skus') return ofSku(context)
  return { violations: [fault('sku_code', 'invalid', 'cannot be given to a line item that is not of a SKU')] }
}

const ofSku = async (context: RuleContext): Promise<RuleOutcome> => {
  const { operation, after, sent, find } = context
  const code = typeof after['sku_code'] === 'string' ? after['sku_code'] : null
  const byItem = operation === 'create' && sent.has('item') && typeof after['item_id'] === 'number'
  if (!byItem && code === null) return { violations: [nothing] }
  const sku = byItem
    ? await find.byNumber('skus', after['item_id'])
    : await find.byColumn('skus', 'code', code ?? '')
  if (sku === undefined) {
    return { violations: [fault('sku_code', 'not_found', 'must be the code of an existing SKU', code)] }
  }
  if (code !== null && code !== sku['code']) {
    return { violations: [fault('sku_code', 'invalid', 'must be the code of the item', code)] }
  }
  return { set: { item_type: 'skus', item_id: sku['id'], sku_code: sku['code'], ...described(sku, context) } }
}

/** A name or image that was sent stays; a line that becomes one of another SKU gets that one's. */
const described = (sku: Row, { sent, after }: RuleContext): Row => ({
  ...(sent.has('name') && (after['name'] ?? null) !== null ? {} : { name: sku['name'] }),
  ...(sent.has('image_url') ? {} : { image_url: sku['image_url'] }),
})
