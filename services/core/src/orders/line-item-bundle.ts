/** A line of a bundle, named by `item` or `bundle_code`: one of the order's market, or of none and in its currency. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'

/** The same code may be of a bundle of the market and of one of none; the market's own is meant then. */
export const ofBundle = async (context: RuleContext): Promise<RuleOutcome> => {
  const { operation, after, sent, writer, find } = context
  const { bundle_code: code = null, item_id: number } = columnsOf('LineItem', after)
  const isSkuSent = sent.has('sku_code') && (after['sku_code'] ?? null) !== null
  if (isSkuSent) return refuse('sku_code', 'invalid', 'cannot be sent for a line item of a bundle')
  const byItem = operation === 'create' && sent.has('item') && typeof number === 'number'
  if (sent.has('_external_price') && after['external_price'] === true)
    return refuse('_external_price', 'invalid', 'is for line items of SKUs, which have a code to ask about')
  // A line of an import may have been of a bundle that is not here.
  if (!byItem && code === null)
    return writer.isImport === true
      ? {}
      : refuse('bundle_code', 'blank', "can't be blank, unless item is given")
  const order = columnsOf('Order', (await find.byNumber('orders', after['order_id'])) ?? {})
  const found = byItem ? await find.byNumber('bundles', number) : await byCode(code, order, context)
  if (found === undefined)
    return refuse('bundle_code', 'not_found', "must be the code of a bundle of the order's market", code)
  const bundle = rowOf('Bundle', found)
  if (code !== null && code !== bundle.code)
    return refuse('bundle_code', 'invalid', 'must be the code of the item', code)
  const reason = writer.isImport === true ? undefined : reasonAgainst(bundle, order)
  if (reason !== undefined)
    return {
      violations: [{ at: byItem ? { relationship: 'item' } : { attribute: 'bundle_code' }, ...reason }],
    }
  return {
    set: {
      item_type: 'bundles',
      item_id: bundle.id,
      bundle_id: bundle.id,
      bundle_code: bundle.code,
      ...described(bundle, context),
    },
  }
}

const byCode = async (
  code: string | null,
  { market_id: market }: Partial<RowOf<'Order'>>,
  { find }: RuleContext,
): Promise<Row | undefined> =>
  (await find.byColumns('bundles', { code, market_id: market ?? null })) ??
  (await find.byColumns('bundles', { code, market_id: null }))

const reasonAgainst = (
  { market_id: market, currency_code: currency }: RowOf<'Bundle'>,
  order: Partial<RowOf<'Order'>>,
): Pick<WriteViolation, 'error' | 'message'> | undefined => {
  if (market !== null && market !== order.market_id)
    return { error: 'other_market', message: 'is of another market than the order' }
  if (currency === order.currency_code) return undefined
  const message = `is in ${currency}, and the order is in ${order.currency_code ?? 'another currency'}`
  return { error: 'currency_mismatch', message }
}

/** A name or image that was sent stays; a line that becomes one of another bundle gets that one's. */
const described = ({ name, image_url }: RowOf<'Bundle'>, { sent, after }: RuleContext): Row => ({
  ...(sent.has('name') && (after['name'] ?? null) !== null ? {} : { name }),
  ...(sent.has('image_url') ? {} : { image_url }),
})

const refuse = (attribute: string, error: string, message: string, value?: unknown): RuleOutcome => ({
  violations: [{ at: { attribute }, error, message, ...(value === undefined ? {} : { value }) }],
})
