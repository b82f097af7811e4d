/** Writes of orders: the customer of an email, how it may be paid, and its sums after whatever changes them. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteFault } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { findOrCreateCustomer } from '../customers/find-or-create-customer.ts'
import type { FoundCustomer } from '../customers/find-or-create-customer.ts'
import type { Completion, RowChange, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'
import { selectOfferedMethod } from '../payments/offer.ts'
import { repriceLines } from './reprice-lines.ts'
import { settleOrder } from './totals/recalculate-order.ts'

/** What an order's status, amounts or lines follow from. */
const SETTLING = [
  'market',
  'customer',
  'customer_email',
  'payment_method',
  'autorefresh',
  'freight_taxable',
  'payment_method_taxable',
  'adjustment_taxable',
  'gift_card_taxable',
]
const REFRESHING = ['_refresh', '_refresh_prices']

export const orderWorkflow: WriteWorkflow = {
  completesFrom: ['market', 'store', 'customer', 'customer_email', 'payment_method'],

  complete: async (after, before, request, step): Promise<Completion> => {
    const method = step.isImport ? undefined : await payableWith(after, before, step)
    if (method !== undefined) return { faults: [method] }
    const found = await customerToFind(after, request, step)
    return found === undefined ? {} : { set: { customer_id: found.customer['id'] }, changes: found.changes }
  },

  settle: async ({ definition, number, before, after }, request, step) => {
    if (after === undefined || request === undefined) return []
    const sent = sentNames(request)
    const isNew = before === undefined
    // Its price is in the order's currency.
    const hasNewPaymentMethod =
      (before?.['payment_method_id'] ?? null) !== after['payment_method_id'] || hasNewCurrency(before, after)
    // A new order has no lines, so that nothing but a payment method can cost something.
    if (isNew && !hasNewPaymentMethod) return []
    const isAny = (names: readonly string[]) => names.some((name) => sent.has(name))
    const isRefresh = isAny(REFRESHING) && !(await isThrottled(before, step))
    if (!isNew && !isRefresh && !isAny(SETTLING)) return []
    const hasNewPrices = isRefresh && sent.has('_refresh_prices')
    const repriced = before === undefined ? [] : await repriceFor(before, after, hasNewPrices, step)
    const settled = await settleOrder(number, step, { isRefresh, hasNewPaymentMethod })
    // The order itself is logged as a whole by who wrote it.
    return [...repriced, ...settled].filter((change) => change.definition !== definition)
  },
}

/** A method the order may be paid with: of its store, or of its market when the store has none (contract, Scopes rule 5). */
const payableWith = async (
  after: Row,
  before: Row | undefined,
  { run, scope }: WorkflowStep,
): Promise<WriteFault | undefined> => {
  const number = after['payment_method_id'] ?? null
  const isSame = before?.['payment_method_id'] === number && before['market_id'] === after['market_id']
  if (number === null || isSame) return undefined
  const { store_id: store = null, market_id: market, currency_code: currency } = after
  const [offered] = await run(selectOfferedMethod(scope.environmentId, number, { store, market, currency }))
  if (offered !== undefined) return undefined
  const message = 'is not among the available payment methods of the order'
  return { at: { relationship: 'payment_method' }, error: 'unavailable', message }
}

/** An email that was sent alone names the customer; a customer's own token does so already. */
const customerToFind = async (
  after: Row,
  request: WriteRequest,
  step: WorkflowStep,
): Promise<FoundCustomer | undefined> => {
  const email = request.attributes.get('customer_email')
  if (typeof email !== 'string' || email === '') return undefined
  const isNamed = request.toOne.has('customer') && (after['customer_id'] ?? null) !== null
  if (isNamed || step.scope.salesChannel?.customerId !== undefined) return undefined
  return findOrCreateCustomer(email, step)
}

/** The setting is in seconds; 0 lets every refresh through. */
const isThrottled = async (order: Row | undefined, step: WorkflowStep): Promise<boolean> => {
  const last = order?.['refreshed_at']
  const lapse = Number(await readSetting('orders_min_refresh_lapse', step))
  return last instanceof Date && step.now.getTime() - last.getTime() < lapse * 1000
}

const repriceFor = async (
  before: Row,
  after: Row,
  hasNewPrices: boolean,
  step: WorkflowStep,
): Promise<readonly RowChange[]> => {
  const number = Number(after['id'])
  if (before['market_id'] !== after['market_id']) {
    const moved = hasNewCurrency(before, after) ? { newCurrency: after['currency_code'] } : {}
    return repriceLines(number, { at: { relationship: 'market' }, ...moved }, step)
  }
  return hasNewPrices ? repriceLines(number, { at: { attribute: '_refresh_prices' } }, step) : []
}

const hasNewCurrency = (before: Row | undefined, after: Row): boolean =>
  before !== undefined && before['currency_code'] !== after['currency_code']
