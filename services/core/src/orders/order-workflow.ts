/** Writes of orders: the customer of an email, how it may be paid, and its totals after whatever changes them. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { findOrCreateCustomer } from '../customers/find-or-create-customer.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { release } from '../inventory/reservations.ts'
import { readSetting } from '../markets/settings.ts'
import { selectOfferedMethod } from '../payments/offer.ts'
import { isBeingPaid } from '../payments/outside/in-flight.ts'
import { reasonAgainstNewSource } from '../payments/source-of-order.ts'
import { sourceFromWallet } from '../payments/wallet/source-from-wallet.ts'
import { ADDRESS_MEMBERS, copiedAddresses } from './address-sources.ts'
import { codesOfOrder } from './codes-of-order.ts'
import { guestOf } from './guest.ts'
import { optionsInCurrency } from './options-of-order.ts'
import { CHANGEABLE_IN, memberOfOrder } from './order-changes.ts'
import { changedColumns, readLines } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'
import { orderStates, topicsWithoutTransition } from './order-states.ts'
import { RECALCULATING, REFRESHING } from './recalculating.ts'
import { repriceLines } from './reprice-lines.ts'
import { linesWithShipments, recalculateOrder } from './totals/recalculate-order.ts'
import { violationsOfTaxUpdate } from './update-taxes.ts'

/** What the database fills in where status and totals depend on it. The status is written, because an event follows from it. */
const NEW_ORDER: Row = {
  status: orderStates.initial,
  autorefresh: true,
  customer_id: null,
  payment_method_id: null,
}

export const orderWorkflow: WriteWorkflow = {
  completesFrom: [
    'market',
    'store',
    'customer',
    'customer_email',
    'payment_method',
    'payment_source',
    'coupon_code',
    'gift_card_code',
    ...ADDRESS_MEMBERS,
  ],

  complete: async (after, before, request, step): Promise<Completion> => {
    const paid = changesWhilePaying(before, request, step)
    if (paid.length > 0) return { violations: paid }
    const method = step.isImport ? undefined : await payableWith(after, before, step)
    if (method !== undefined) return { violations: [method] }
    const source = step.isImport ? undefined : await reasonAgainstNewSource(after, before, step)
    if (source !== undefined) return { violations: [source] }
    const kept = step.isImport ? {} : await sourceFromWallet(after, request, step)
    if (kept.violations !== undefined) return kept
    const copied = step.isImport ? {} : await copiedAddresses(after, request, step)
    if (copied.violations !== undefined) return copied
    if (request.triggers.has('_update_taxes')) {
      const violations = await violationsOfTaxUpdate({ ...after, ...copied.set }, step)
      if (violations.length > 0) return { violations }
    }
    const found = await customerToFind(after, request, step)
    const customer = found === undefined ? {} : { customer_id: found['id'] }
    const codes = step.isImport ? {} : await codesOfOrder({ ...after, ...customer }, before, request, step)
    if (codes.violations !== undefined) return codes
    const guest = await guestOf({ ...after, ...customer }, before, request, step)
    return { set: { ...kept.set, ...copied.set, ...customer, ...codes.set, ...guest } }
  },

  consequences: async ({ number, before, after }, request, step) => {
    if (after === undefined) await release({ column: 'order_id', numbers: [number] }, step)
    if (after === undefined || request === undefined) return {}
    const sent = sentNames(request)
    const order: Row = before === undefined ? { ...NEW_ORDER, ...after } : after
    const initial = before === undefined ? { status: order['status'] } : {}
    const topics = before === undefined || step.isImport ? topicsWithoutTransition(before, order) : []
    // Its price is in the order's currency.
    const hasNewPaymentMethod =
      (before?.['payment_method_id'] ?? null) !== order['payment_method_id'] || hasNewCurrency(before, order)
    // A new order has no lines, so that nothing but a payment method can cost something.
    if (before === undefined && !hasNewPaymentMethod) return { set: initial, topics }
    const isAny = (names: readonly string[]) => names.some((name) => sent.has(name))
    const isRefresh = sent.has('_update_taxes') || (isAny(REFRESHING) && !(await isThrottled(before, step)))
    if (before !== undefined && !isRefresh && !isAny(RECALCULATING)) return { topics }
    const hasNewPrices = isRefresh && sent.has('_refresh_prices')
    const lines = before === undefined ? [] : await repricedLines(number, before, order, hasNewPrices, step)
    const result = await recalculateOrder(order, lines, step, { isRefresh, hasNewPaymentMethod })
    const set = { ...initial, ...changedColumns(order, result.set) }
    return {
      set,
      topics: [...topics, ...result.topics],
      writes: [
        ...linesWithShipments(result.lines, result.shipments, step.registry),
        ...(hasNewCurrency(before, order) ? await optionsInCurrency(order, step) : []),
      ],
    }
  },
}

/** What was asked of a gateway stays so until it has answered; only the write that asked goes on. */
const changesWhilePaying = (
  before: Row | undefined,
  request: WriteRequest,
  { answers, isImport }: WorkflowStep,
): readonly WriteViolation[] => {
  if (before === undefined || isImport || !isBeingPaid(before) || (answers?.size ?? 0) > 0) return []
  const message = 'cannot be changed while a payment of the order is being processed'
  return [...sentNames(request)]
    .filter((name) => name in CHANGEABLE_IN)
    .map((name) => ({ at: memberOfOrder(name), error: 'not_editable', message }))
}

/** A method the order may be paid with: of its store, or of its market when the store has none (contract, Scopes rule 5). */
const payableWith = async (
  after: Row,
  before: Row | undefined,
  { run, scope }: WorkflowStep,
): Promise<WriteViolation | undefined> => {
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
): Promise<Row | undefined> => {
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

/** Read again for another market, and when new prices are requested. */
const repricedLines = async (
  number: number,
  before: Row,
  after: Row,
  hasNewPrices: boolean,
  step: WorkflowStep,
): Promise<readonly OrderLine[]> => {
  const lines = await readLines(number, step)
  if (before['market_id'] !== after['market_id']) {
    const repricing = { at: { relationship: 'market' }, hasNewCurrency: hasNewCurrency(before, after) }
    return repriceLines(after, lines, repricing, step)
  }
  if (!hasNewPrices) return lines
  return repriceLines(after, lines, { at: { attribute: '_refresh_prices' }, hasNewCurrency: false }, step)
}

const hasNewCurrency = (before: Row | undefined, after: Row): boolean =>
  before !== undefined && before['currency_code'] !== after['currency_code']
