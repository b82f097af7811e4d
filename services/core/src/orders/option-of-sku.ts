/** The SKU option of a line item option: whether it is one of the line's SKU, and what is copied from it. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, WriteViolation } from '@merx/jsonapi/rules'
import { isForSku } from '../catalogue/options-of-sku.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'

/** Name, price and delay are the option's unless they are sent; another option brings its own. */
export const skuOptionOfLine: Rule = async (context) => {
  const { after, sent, writer, find } = context
  const isRead =
    sent.has('sku_option') || isEmptied('name', context) || isEmptied('unit_amount_cents', context)
  const found = isRead ? await find.byNumber('sku_options', after['sku_option_id']) : undefined
  // That the option is unknown was said already.
  if (found === undefined) return {}
  const option = rowOf('SkuOption', found)
  const violations = writer.isImport === true ? [] : await violationsOf(option, context)
  return violations.length === 0 ? { set: copiedFrom(option, context) } : { violations }
}

const isEmptied = (attribute: string, { sent, after }: RuleContext): boolean =>
  sent.has(attribute) && (after[attribute] ?? null) === null

const copiedFrom = (option: RowOf<'SkuOption'>, context: RuleContext): Row => {
  const isCopied = (attribute: string): boolean =>
    isEmptied(attribute, context) || (context.sent.has('sku_option') && !context.sent.has(attribute))
  return {
    ...(isCopied('name') ? { name: option.name } : {}),
    ...(isCopied('unit_amount_cents') ? { unit_amount_cents: option.price_amount_cents } : {}),
    delay_hours: option.delay_hours,
  }
}

const violationsOf = async (
  option: RowOf<'SkuOption'>,
  { after, find }: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const found = await find.byNumber('line_items', after['line_item_id'])
  if (found === undefined) return []
  const line = rowOf('LineItem', found)
  const { market_id: market, currency_code: currency } = columnsOf(
    'Order',
    (await find.byNumber('orders', line.order_id)) ?? {},
  )
  const code = line.item_type === 'skus' ? line.sku_code : null
  const reason =
    code === null
      ? 'is for SKUs, and the line item is of none'
      : !isForSku(option, code)
        ? `is not for ${code}`
        : option.market_id !== null && option.market_id !== market
          ? 'is of another market than the order'
          : option.currency_code === currency
            ? undefined
            : `is in ${option.currency_code}, and the order is in ${currency ?? 'another currency'}`
  return reason === undefined
    ? []
    : [{ at: { relationship: 'sku_option' }, error: 'invalid', message: reason }]
}

/** What all units of the option cost. */
export const amountsOfOption: Rule = ({ after }) => {
  const { quantity, unit_amount_cents: unit = 0 } = columnsOf('LineItemOption', after)
  return typeof quantity === 'number' ? { set: { total_amount_cents: unit * quantity } } : {}
}
