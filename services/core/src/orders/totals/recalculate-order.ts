/**
 * What an order and its lines become after a write changed one of them: amounts of every line, totals, status, payment
 * line. Nothing is written here. The order's row is locked, so of two writers the second counts what the first wrote.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { columnsOf, rowOf } from '../../engine/database/rows.ts'
import type { Registry } from '../../engine/registry.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { Consequences, WorkflowStep } from '../../engine/write/write-workflow.ts'
import { readSetting } from '../../markets/settings.ts'
import { refuseWhilePaying } from '../../payments/outside/in-flight.ts'
import { buildShipments } from '../../shipping/build-shipments.ts'
import type { BuiltShipments } from '../../shipping/shipment-writes.ts'
import { transition } from '../../states/transition.ts'
import { withGiftCard, withPaidAmount } from '../gift-card-line.ts'
import { changedColumns, linesAfter, lineWrites } from '../order-lines.ts'
import type { OrderLine } from '../order-lines.ts'
import { orderStates } from '../order-states.ts'
import type { OrderSubject } from '../order-states.ts'
import { defaultPaymentMethod, withPaymentLine } from '../payment-line.ts'
import { candidatesFor, withPromotions } from '../promotion-lines.ts'
import type { CandidatesOfOrder } from '../promotion-lines.ts'
import { withShippingLines } from '../shipping-lines.ts'
import { lineColumns, orderColumns, promotionColumns, splitLines, toTotalsInput } from './order-amounts.ts'
import type { PublicIdsOf } from './order-amounts.ts'
import { withTaxes } from './order-taxes.ts'
import { computeOrderTotals } from './order-totals.ts'

export interface RecalculateOptions {
  /** Totals are set although the order does not refresh itself. */
  readonly isRefresh?: boolean
  /** The payment method was changed, so its line follows. */
  readonly hasNewPaymentMethod?: boolean
  /** Nothing that shipments follow from was changed. */
  readonly keepsShipments?: boolean
}

export interface RecalculatedOrder {
  /** Columns of the order, some of which may have these values already. */
  readonly set: Row
  readonly lines: readonly OrderLine[]
  /** Of the order. */
  readonly topics: readonly string[]
  /** Undefined when they stay as they are. */
  readonly shipments: BuiltShipments | undefined
}

/**
 * `order` and `lines` are the rows as they will be, of a line that goes without an `after`. Throws AppError
 * `validation_error` when an amount is larger than one can be, `locked` while a gateway is being asked for its money.
 */
export const recalculateOrder = async (
  order: Row,
  lines: readonly OrderLine[],
  step: WorkflowStep,
  { isRefresh = false, hasNewPaymentMethod = false, keepsShipments = false }: RecalculateOptions = {},
): Promise<RecalculatedOrder> => {
  refuseWhilePaying(order)
  const { status, topics } = step.isImport
    ? { status: {}, topics: [] }
    : await automaticStatus({ order, lines: linesAfter(lines) })
  const method = await defaultPaymentMethod(order, status, step)
  const pending = { ...order, ...status, ...method }
  const needsPaymentLine = hasNewPaymentMethod || 'payment_method_id' in method
  const payableLines = needsPaymentLine ? await withPaymentLine(pending, lines, step) : lines
  const hasTotals = pending['autorefresh'] === true || isRefresh
  const { order: payable, lines: complete } =
    hasTotals && !step.isImport
      ? await withGiftCard(pending, payableLines, step)
      : { order: pending, lines: payableLines }
  const { ids } = step.registry
  const candidates = hasTotals
    ? await candidatesFor(payable, complete, step, (each) => withAmounts(payable, each, ids))
    : undefined
  const discounted = withDiscounts(payable, complete, candidates, ids)
  const [taxes, autorefresh] = await Promise.all([
    hasTotals
      ? withTaxes(payable, discounted, () => withAmounts(payable, discounted, ids).lines, step)
      : { set: {}, lines: discounted, topics: [] },
    autorefreshOf(payable, linesAfter(complete), step),
  ])
  const taxed = { ...payable, ...taxes.set }
  const priced = withAmounts(taxed, taxes.lines, ids)
  const shipments =
    !hasTotals || keepsShipments || step.isImport ? undefined : await shipmentsOf(taxed, priced, step)
  const { totals, lines: recalculated } = withShipments(taxed, priced, { shipments, candidates, ids })
  return {
    lines: withPaidAmount(recalculated),
    shipments,
    topics: [...topics, ...taxes.topics, ...(isRebuilt(shipments) ? ['orders.rebuild_shipments'] : [])],
    set: {
      ...status,
      ...method,
      ...taxes.set,
      ...(shipments === undefined ? {} : { shipments_count: shipments.count }),
      ...(hasTotals ? { ...totals, refreshed_at: step.now } : {}),
      ...autorefresh,
    },
  }
}

/** The order, and then its shipments and lines in the order in which they depend on each other. */
export const orderWrites = (
  order: Row,
  { set, lines, topics, shipments }: RecalculatedOrder,
  registry: Registry,
): Required<Pick<Consequences, 'earlier' | 'writes'>> => ({
  earlier: [
    { definition: registry.require('orders'), before: order, columns: changedColumns(order, set), topics },
  ],
  writes: linesWithShipments(lines, shipments, registry),
})

export const linesWithShipments = (
  lines: readonly OrderLine[],
  shipments: BuiltShipments | undefined,
  registry: Registry,
): readonly RowWrite[] => [
  ...(shipments?.before ?? []),
  ...lineWrites(lines, registry),
  ...(shipments?.after ?? []),
]

interface PricedLines {
  readonly totals: Row
  readonly lines: readonly OrderLine[]
}

/** What makes shipping free depends on the amounts of the goods, so those are known before. */
const shipmentsOf = (
  order: Row,
  { totals, lines }: PricedLines,
  step: WorkflowStep,
): Promise<BuiltShipments | undefined> => {
  const gone = lines.flatMap(({ before, after }) =>
    before === undefined || after !== undefined ? [] : [numberOf(before)],
  )
  const current = linesAfter(lines)
  // What a promotion takes off shipping says nothing about the goods, and follows from what is decided here.
  const discount = goodsDiscountOf(current)
  return buildShipments({ ...order, ...totals, discount_amount_cents: discount }, current, gone, step)
}

const goodsDiscountOf = (lines: readonly Row[]): number =>
  splitLines(lines)
    .promotions.map((line) => columnsOf('LineItem', line))
    .filter(({ item_type: type }) => type !== 'free_shipping_promotions')
    .reduce((sum, { total_amount_cents: total = 0 }) => sum + total, 0)

const withShipments = (
  order: Row,
  priced: PricedLines,
  {
    shipments,
    candidates,
    ids,
  }: {
    readonly shipments: BuiltShipments | undefined
    readonly candidates: CandidatesOfOrder | undefined
    readonly ids: PublicIdsOf
  },
): PricedLines => {
  if (shipments === undefined) return priced
  const lines = withShippingLines(order, priced.lines, shipments.costs)
  if (lines === priced.lines) return priced
  return withAmounts(order, withDiscounts(order, lines, candidates, ids), ids)
}

/** Without candidates the promotions stay as they are. */
const withDiscounts = (
  order: Row,
  lines: readonly OrderLine[],
  candidates: CandidatesOfOrder | undefined,
  ids: PublicIdsOf,
): readonly OrderLine[] => (candidates === undefined ? lines : withPromotions(order, lines, candidates, ids))

const isRebuilt = (shipments: BuiltShipments | undefined): boolean =>
  shipments !== undefined && shipments.before.length + shipments.after.length > 0

const automaticStatus = async (
  subject: OrderSubject,
): Promise<{ readonly status: Row; readonly topics: readonly string[] }> => {
  const { set, topics } = await transition(orderStates, subject.order, { start: 'automatic', subject })
  return { status: set, topics }
}

/** Amounts of each line, and the totals of the order. */
const withAmounts = (order: Row, lines: readonly OrderLine[], ids: PublicIdsOf): PricedLines => {
  const current = linesAfter(lines)
  const split = splitLines(current)
  const computed = computeOrderTotals(toTotalsInput(order, split, ids))
  const totals = orderColumns(computed, split)
  const amounts = new Map<Row | undefined, Row>([
    ...computed.lines.map((line, at) => [split.counted[at]?.line, lineColumns(line)] as const),
    ...computed.promotions.map((cents, at) => [split.promotions[at], promotionColumns(cents)] as const),
    [split.giftCard, promotionColumns(computed.totals.giftCard)] as const,
  ])
  refuseExcess([totals, ...amounts.values()], order, current)
  return {
    totals,
    lines: lines.map(({ before, after }) =>
      after === undefined ? { before, after } : { before, after: { ...after, ...amounts.get(after) } },
    ),
  }
}

/** When one unit is too much, the violation is at the unit amount. */
const refuseExcess = (rows: readonly Row[], order: Row, lines: readonly Row[]): void => {
  const { currency_code: currency } = rowOf('Order', order)
  const max = amountCentsMaxOf(currency)
  const isTooMuch = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > max
  if (!rows.some((row) => Object.values(row).some(isTooMuch))) return
  const attribute = lines.some((line) => isTooMuch(line['unit_amount_cents']))
    ? 'unit_amount_cents'
    : 'quantity'
  const message = `makes an amount of the order exceed ${max}, the most in ${currency}`
  throw toValidationError({ at: { attribute }, error: 'amount_too_large', message })
}

/** lifecycles.md 1.6: an order with more lines than the setting says stops refreshing itself. */
const autorefreshOf = async (order: Row, lines: readonly Row[], step: WorkflowStep): Promise<Row> => {
  if (order['autorefresh'] !== true || lines.length === 0) return {}
  const cutoff = await readSetting(`orders_autorefresh_cutoff_${step.scope.mode}`, step)
  return typeof cutoff === 'number' && lines.length > cutoff ? { autorefresh: false } : {}
}
