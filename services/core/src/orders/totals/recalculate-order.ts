/**
 * Brings an order in line with its lines, in the transaction of the write that changed one of them: amounts of every
 * line, sums, status. The order's row is locked before, so that of two writers the second sums up what the first wrote.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { updateRow } from '../../engine/sql/write-statements.ts'
import type { RowChange, WorkflowStep } from '../../engine/write/write-workflow.ts'
import { readSetting } from '../../markets/settings.ts'
import { defaultPaymentMethod, writePaymentLine } from '../payment-line.ts'
import {
  isPurchasable,
  lineColumns,
  orderColumns,
  promotionColumns,
  splitLines,
  toTotalsInput,
} from './order-amounts.ts'
import { computeOrderTotals } from './order-totals.ts'

/** Nobody else writes the order or its lines until the transaction ends. */
export const lockOrder = async (number: number, { run, scope }: WorkflowStep): Promise<Row | undefined> => {
  const text = 'SELECT * FROM orders WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  const [order] = await run({ text, values: [scope.environmentId, number] })
  return order
}

export interface SettleOptions {
  /** Sums are written although the order does not refresh itself. */
  readonly isRefresh?: boolean
  /** The payment method was changed, so its line follows. */
  readonly hasNewPaymentMethod?: boolean
}

/**
 * Gives what it changed: the order, its payment line, lines whose share of a discount or tax moved. Throws AppError
 * `validation_error` when a sum is beyond what an amount can be.
 */
export const settleOrder = async (
  number: number,
  step: WorkflowStep,
  { isRefresh = false, hasNewPaymentMethod = false }: SettleOptions = {},
): Promise<readonly RowChange[]> => {
  const before = await lockOrder(number, step)
  if (before === undefined) return []
  const lines = await readLines(number, step)
  const status = step.isImport ? {} : statusOf(before, lines)
  const method = await defaultPaymentMethod(before, status, step)
  const order = { ...before, ...status, ...method }
  const needsPaymentLine = hasNewPaymentMethod || 'payment_method_id' in method
  const paymentChanges = needsPaymentLine ? await writePaymentLine(order, step) : []
  const current = needsPaymentLine ? await readLines(number, step) : lines
  const { sums, changes } = await settleLines(order, current, step)
  const isSummedUp = order['autorefresh'] === true || isRefresh
  const columns = {
    ...status,
    ...method,
    ...(isSummedUp ? { ...sums, refreshed_at: step.now } : {}),
    ...(await autorefreshOf(order, current, step)),
  }
  const after = await writeChanged('orders', before, columns, step)
  const definition = step.registry.require('orders')
  return [...paymentChanges, ...changes, { definition, number, before, after }]
}

const readLines = (orderNumber: number, { run, scope }: WorkflowStep): Promise<readonly Row[]> => {
  const text = 'SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2 ORDER BY id'
  return run({ text, values: [scope.environmentId, orderNumber] })
}

/** lifecycles.md 1.2: an order somebody chose something for is pending, one without a customer or goods a draft. */
const statusOf = (order: Row, lines: readonly Row[]): Row => {
  if (order['status'] !== 'draft' && order['status'] !== 'pending') return {}
  const hasCustomer = order['customer_id'] !== null || (order['customer_email'] ?? '') !== ''
  const status = hasCustomer && lines.some(isPurchasable) ? 'pending' : 'draft'
  return status === order['status'] ? {} : { status }
}

/** Amounts of each line, stored where they changed, and the sums of the order. */
const settleLines = async (
  order: Row,
  lines: readonly Row[],
  step: WorkflowStep,
): Promise<{ readonly sums: Row; readonly changes: readonly RowChange[] }> => {
  const split = splitLines(lines)
  const computed = computeOrderTotals(toTotalsInput(order, split))
  const sums = orderColumns(computed, split)
  const settled = [
    ...computed.lines.map((amounts, at) => [split.counted[at]?.line, lineColumns(amounts)] as const),
    ...computed.promotions.map((cents, at) => [split.promotions[at], promotionColumns(cents)] as const),
  ]
  refuseExcess([sums, ...settled.map(([, columns]) => columns)], order, lines)
  const definition = step.registry.require('line_items')
  const changes: RowChange[] = []
  for (const [before, columns] of settled) {
    if (before === undefined) throw new Error('a line was computed that is not there')
    const after = await writeChanged('line_items', before, columns, step)
    if (after !== before) changes.push({ definition, number: Number(before['id']), before, after })
  }
  return { sums, changes }
}

/** What is too much is said of the unit amount when one unit is. */
const refuseExcess = (rows: readonly Row[], order: Row, lines: readonly Row[]): void => {
  const currency = String(order['currency_code'])
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

/** Gives the row as it is after; the same object when there was nothing to write. */
const writeChanged = async (
  table: string,
  before: Row,
  columns: Row,
  { run, scope }: WorkflowStep,
): Promise<Row> => {
  const changed = Object.fromEntries(
    Object.entries(columns).filter(([column, value]) => !isDeepStrictEqual(before[column] ?? null, value)),
  )
  if (Object.keys(changed).length === 0) return before
  const [after] = await run(updateRow(table, scope.environmentId, Number(before['id']), changed))
  return after ?? before
}
