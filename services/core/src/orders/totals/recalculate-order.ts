/**
 * What an order and its lines become after a write changed one of them: amounts of every line, totals, status, payment
 * line. Nothing is written here. The order's row is locked, so of two writers the second counts what the first wrote.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { rowOf } from '../../engine/database/rows.ts'
import type { Registry } from '../../engine/registry.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { Consequences, WorkflowStep } from '../../engine/write/write-workflow.ts'
import { readSetting } from '../../markets/settings.ts'
import { refuseWhilePaying } from '../../payments/outside/in-flight.ts'
import { buildShipments } from '../../shipping/build-shipments.ts'
import type { BuiltShipments } from '../../shipping/shipment-writes.ts'
import { transition } from '../../states/transition.ts'
import { changedColumns, linesAfter, lineWrites } from '../order-lines.ts'
import type { OrderLine } from '../order-lines.ts'
import { orderStates } from '../order-states.ts'
import type { OrderSubject } from '../order-states.ts'
import { defaultPaymentMethod, withPaymentLine } from '../payment-line.ts'
import { withShippingLines } from '../shipping-lines.ts'
import { lineColumns, orderColumns, promotionColumns, splitLines, toTotalsInput } from './order-amounts.ts'
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
  const payable = { ...order, ...status, ...method }
  const needsPaymentLine = hasNewPaymentMethod || 'payment_method_id' in method
  const complete = needsPaymentLine ? await withPaymentLine(payable, lines, step) : lines
  const hasTotals = payable['autorefresh'] === true || isRefresh
  const [taxes, autorefresh] = await Promise.all([
    hasTotals
      ? withTaxes(payable, complete, () => withAmounts(payable, complete).lines, step)
      : { set: {}, lines: complete, topics: [] },
    autorefreshOf(payable, linesAfter(complete), step),
  ])
  const taxed = { ...payable, ...taxes.set }
  const priced = withAmounts(taxed, taxes.lines)
  const shipments =
    !hasTotals || keepsShipments || step.isImport ? undefined : await shipmentsOf(taxed, priced, step)
  const { totals, lines: recalculated } = withShipments(taxed, priced, shipments)
  return {
    lines: recalculated,
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
  return buildShipments({ ...order, ...totals }, linesAfter(lines), gone, step)
}

const withShipments = (
  order: Row,
  priced: PricedLines,
  shipments: BuiltShipments | undefined,
): PricedLines => {
  if (shipments === undefined) return priced
  const lines = withShippingLines(order, priced.lines, shipments.costs)
  return lines === priced.lines ? priced : withAmounts(order, lines)
}

const isRebuilt = (shipments: BuiltShipments | undefined): boolean =>
  shipments !== undefined && shipments.before.length + shipments.after.length > 0

const automaticStatus = async (
  subject: OrderSubject,
): Promise<{ readonly status: Row; readonly topics: readonly string[] }> => {
  const { set, topics } = await transition(orderStates, subject.order, { start: 'automatic', subject })
  return { status: set, topics }
}

/** Amounts of each line, and the totals of the order. */
const withAmounts = (order: Row, lines: readonly OrderLine[]): PricedLines => {
  const current = linesAfter(lines)
  const split = splitLines(current)
  const computed = computeOrderTotals(toTotalsInput(order, split))
  const totals = orderColumns(computed, split)
  const amounts = new Map<Row | undefined, Row>([
    ...computed.lines.map((line, at) => [split.counted[at]?.line, lineColumns(line)] as const),
    ...computed.promotions.map((cents, at) => [split.promotions[at], promotionColumns(cents)] as const),
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
