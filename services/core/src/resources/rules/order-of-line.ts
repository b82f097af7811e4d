import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, RuleOutcome, WriteFault } from '@merx/jsonapi/rules'
import { EDITABLE, IN_THE_MAKING } from './changes-of-order.ts'

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
 * A line is written while its order can be changed, by those who may change it (lifecycles.md 1.2), and is counted in
 * the order's currency. The order is locked (workflows/line-items.ts), so what is read here stays true.
 */
export const orderOfLine: Rule = async (context): Promise<RuleOutcome> => {
  const { operation, after, writer, find } = context
  const order = await find.byNumber('orders', after['order_id'])
  if (order === undefined) return {}
  const set = operation === 'create' ? { currency_code: order['currency_code'] } : {}
  if (writer.isImport === true) return { set }
  refuseStrangers(order, context)
  const faults = operation === 'create' ? await faultsOfNew(order, context) : faultsOfChange(order, context)
  return faults.length === 0 ? { set } : { faults }
}

const refuseStrangers = (order: Row, { writer }: RuleContext): void => {
  if (!writer.isSalesChannel) return
  const isOthers = writer.customer !== undefined && order['customer_id'] !== writer.customer
  if (isOthers || !IN_THE_MAKING.includes(String(order['status']))) throw new AppError('unauthorized')
}

const faultsOfNew = async (order: Row, { find }: RuleContext): Promise<readonly WriteFault[]> => {
  const at = { relationship: 'order' }
  const status = String(order['status'])
  if (!EDITABLE.includes(status)) {
    const message = `is ${status}; line items are added while it is ${EDITABLE.join(' or ')}`
    return [{ at, error: 'not_editable', message }]
  }
  const market = await find.byNumber('markets', order['market_id'])
  if ((market?.['disabled_at'] ?? null) === null) return []
  return [{ at, error: 'disabled', message: 'is of a market that is disabled' }]
}

/** Lines that the order makes itself follow from what it is for: its payment method, its shipments. */
const faultsOfChange = (order: Row, { sent, before }: RuleContext): readonly WriteFault[] => {
  const status = String(order['status'])
  const itemType = before?.['item_type']
  const isOwn = typeof itemType === 'string' && itemType !== 'skus'
  if (EDITABLE.includes(status) && !isOwn) return []
  const message = isOwn
    ? `cannot be changed on a line item of type ${itemType}`
    : `cannot be changed on a line item of an order that is ${status}, only while it is ${EDITABLE.join(' or ')}`
  return [...sent]
    .filter((name) => !DESCRIPTIVE.includes(name))
    .map((attribute) => ({ at: { attribute }, error: 'not_editable', message }))
}
