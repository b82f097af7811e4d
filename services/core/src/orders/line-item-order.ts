import { AppError } from '@merx/errors/app-error'
import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import { isOfDisabledMarket } from './enabled-market.ts'
import { EDITABLE, IN_THE_MAKING } from './order-states.ts'

/** What describes a line and changes no amount; it may change at any time. */
const DESCRIPTIVE: readonly string[] = [
  'name',
  'image_url',
  'reference',
  'reference_origin',
  'metadata',
  'tags',
  '_add_tags',
  '_remove_tags',
  '_reset_circuit',
  '_reset_restocked_quantity',
]

/**
 * A line is written while its order can be changed and its market sells, by those who may change it (lifecycles.md 1.2,
 * 10), and is counted in the order's currency. The order is locked (line-item-workflow.ts), so what is read here stays true.
 */
export const orderOfLine: Rule = async (context): Promise<RuleOutcome> => {
  const { operation, after, writer, find } = context
  const found = await find.byNumber('orders', after['order_id'])
  if (found === undefined) return {}
  const order = rowOf('Order', found)
  const set = operation === 'create' ? { currency_code: order.currency_code } : {}
  if (writer.isImport === true) return { set }
  refuseOtherCallers(order, context)
  const violations =
    operation === 'create' ? await violationsOfNew(order, context) : await violationsOfChange(order, context)
  return violations.length === 0 ? { set } : { violations }
}

/** A sales channel writes to orders in the making, a customer only to their own. */
export const refuseOtherCallers = (order: RowOf<'Order'>, { writer }: RuleContext): void => {
  if (!writer.isSalesChannel) return
  const isOthers = writer.customer !== undefined && order.customer_id !== writer.customer
  if (isOthers || !IN_THE_MAKING.includes(order.status)) throw new AppError('unauthorized')
}

const violationsOfNew = async (
  order: RowOf<'Order'>,
  context: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const at = { relationship: 'order' }
  const { status } = order
  if (!EDITABLE.includes(status)) {
    const message = `is ${status}; line items are added while it is ${EDITABLE.join(' or ')}`
    return [{ at, error: 'not_editable', message }]
  }
  if (!(await isOfDisabledMarket(order, context))) return []
  return [{ at, error: 'disabled', message: 'is of a market that is disabled' }]
}

/** Lines that the order makes itself follow from what it is for: its payment method, its shipments. */
const violationsOfChange = async (
  order: RowOf<'Order'>,
  context: RuleContext,
): Promise<readonly WriteViolation[]> => {
  const changed = [...context.sent].filter((name) => !DESCRIPTIVE.includes(name))
  if (changed.length === 0) return []
  const reason = await reasonAgainstChange(order, context)
  if (reason === undefined) return []
  return changed.map((attribute) => ({ at: { attribute }, ...reason }))
}

const reasonAgainstChange = async (
  { status, ...order }: RowOf<'Order'>,
  context: RuleContext,
): Promise<Pick<WriteViolation, 'error' | 'message'> | undefined> => {
  const itemType = context.before?.['item_type']
  const isArticle = itemType === 'skus' || itemType === 'bundles'
  const isChangeable = isArticle || (itemType === 'adjustments' && !context.writer.isSalesChannel)
  if (typeof itemType === 'string' && !isChangeable) {
    return { error: 'not_editable', message: `cannot be changed on a line item of type ${itemType}` }
  }
  if (!EDITABLE.includes(status)) {
    const message = `cannot be changed on a line item of an order that is ${status}, only while it is ${EDITABLE.join(' or ')}`
    return { error: 'not_editable', message }
  }
  if (!(await isOfDisabledMarket(order, context))) return undefined
  const message = 'cannot be changed on a line item of an order of a market that is disabled'
  return { error: 'disabled', message }
}
