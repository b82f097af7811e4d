import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteViolation } from '@merx/jsonapi/rules'
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
  const order = await find.byNumber('orders', after['order_id'])
  if (order === undefined) return {}
  const set = operation === 'create' ? { currency_code: order['currency_code'] } : {}
  if (writer.isImport === true) return { set }
  refuseStrangers(order, context)
  const violations =
    operation === 'create' ? await faultsOfNew(order, context) : await faultsOfChange(order, context)
  return violations.length === 0 ? { set } : { violations }
}

const refuseStrangers = (order: Row, { writer }: RuleContext): void => {
  if (!writer.isSalesChannel) return
  const isOthers = writer.customer !== undefined && order['customer_id'] !== writer.customer
  if (isOthers || !IN_THE_MAKING.includes(String(order['status']))) throw new AppError('unauthorized')
}

const faultsOfNew = async (order: Row, context: RuleContext): Promise<readonly WriteViolation[]> => {
  const at = { relationship: 'order' }
  const status = String(order['status'])
  if (!EDITABLE.includes(status)) {
    const message = `is ${status}; line items are added while it is ${EDITABLE.join(' or ')}`
    return [{ at, error: 'not_editable', message }]
  }
  if (!(await isOfDisabledMarket(order, context))) return []
  return [{ at, error: 'disabled', message: 'is of a market that is disabled' }]
}

/** Lines that the order makes itself follow from what it is for: its payment method, its shipments. */
const faultsOfChange = async (order: Row, context: RuleContext): Promise<readonly WriteViolation[]> => {
  const changed = [...context.sent].filter((name) => !DESCRIPTIVE.includes(name))
  if (changed.length === 0) return []
  const reason = await reasonAgainstChange(order, context)
  if (reason === undefined) return []
  return changed.map((attribute) => ({ at: { attribute }, ...reason }))
}

const reasonAgainstChange = async (
  order: Row,
  context: RuleContext,
): Promise<Pick<WriteViolation, 'error' | 'message'> | undefined> => {
  const status = String(order['status'])
  const itemType = context.before?.['item_type']
  if (typeof itemType === 'string' && itemType !== 'skus') {
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
