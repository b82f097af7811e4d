import type { Rule, RuleContext, WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import { isOfDisabledMarket } from './enabled-market.ts'
import { refuseOtherCallers } from './line-item-order.ts'
import { EDITABLE } from './order-states.ts'

/** What describes an option and changes no amount; it may change at any time. */
const DESCRIPTIVE: readonly string[] = [
  'name',
  'options',
  'reference',
  'reference_origin',
  'metadata',
  'tags',
  '_add_tags',
  '_remove_tags',
]

/**
 * An option is written while the order of its line can be changed and its market sells, by those who may change it, and is
 * counted in the order's currency. The order is locked (option-workflow.ts), so what is read here stays true.
 */
export const lineOfOption: Rule = async (context) => {
  const { operation, after, writer, find } = context
  const line = await find.byNumber('line_items', after['line_item_id'], ['order_id'])
  const found = line === undefined ? undefined : await find.byNumber('orders', line['order_id'])
  if (found === undefined) return {}
  const order = rowOf('Order', found)
  const set = operation === 'create' ? { currency_code: order.currency_code } : {}
  if (writer.isImport === true) return { set }
  refuseOtherCallers(order, context)
  const violations = await violationsOfWrite(order, context)
  return violations.length === 0 ? { set } : { violations }
}

const violationsOfWrite = async (
  order: RowOf<'Order'>,
  context: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const changed = [...context.sent].filter((name) => !DESCRIPTIVE.includes(name))
  if (context.operation === 'update' && changed.length === 0) return []
  const reason = await reasonAgainst(order, context)
  if (reason === undefined) return []
  if (context.operation === 'create') return [{ at: { relationship: 'line_item' }, ...reason }]
  return changed.map((name) => ({
    at: name === 'sku_option' ? { relationship: name } : { attribute: name },
    ...reason,
  }))
}

const reasonAgainst = async (
  { status, ...order }: RowOf<'Order'>,
  context: RuleContext,
): Promise<Pick<WriteViolation, 'error' | 'message'> | undefined> => {
  if (!EDITABLE.includes(status)) {
    const message = `is of an order that is ${status}; options are written while it is ${EDITABLE.join(' or ')}`
    return { error: 'not_editable', message }
  }
  return (await isOfDisabledMarket(order, context))
    ? { error: 'disabled', message: 'is of an order of a market that is disabled' }
    : undefined
}
