/** Writes of line items: the order is locked first, the price looked up, and the order recalculated with the line. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { release } from '../inventory/reservations.ts'
import { priceBundleLine } from './bundle-price.ts'
import { externalPriceOf, hasExternalPrice } from './external-price.ts'
import { priceLine } from './line-item-price.ts'
import { QUANTITY_MAX } from './line-items.ts'
import { violationsOfOptions, readOptions } from './options-of-order.ts'
import { changedColumns, NEW_LINE, readLines } from './order-lines.ts'
import { lockOrder, refuseDeleteOfPart } from './order-part.ts'
import { orderWrites, recalculateOrder } from './totals/recalculate-order.ts'

export const lineItemWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('order') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('orders', identifier.id)
    return number === undefined ? undefined : lockOrder('$2', number, step)
  },

  /** A line never changes its order, so the order can be found before anything is locked. */
  lockForChange: (number, step) =>
    lockOrder('(SELECT order_id FROM line_items WHERE environment_id = $1 AND id = $2)', number, step),

  /** `_update_quantity`: the order has a line that differs in its quantity alone, so there is more of it. */
  findExisting: async (columns, request, { run, scope }) => {
    const column = COUNTED.get(columns['item_type'])
    if (!request.triggers.has('_update_quantity') || column === undefined) return undefined
    // Tags are in no column, so lines that have them are not compared.
    if (request.toMany.size > 0 || request.triggers.has('_add_tags')) return undefined
    // What was made to somebody's choice is another article.
    const text = `SELECT * FROM line_items
      WHERE environment_id = $1 AND order_id = $2 AND ${column} = $3 AND NOT EXISTS (
        SELECT FROM line_item_options AS options
        WHERE options.environment_id = $1 AND options.line_item_id = line_items.id)
      ORDER BY id FOR UPDATE`
    const values = [scope.environmentId, columns['order_id'], columns['item_id']]
    const lines = await run({ text, values })
    const before = lines.find((line) => isSameButQuantity(line, columns))
    if (before === undefined) return undefined
    const { quantity: more = 0 } = columnsOf('LineItem', columns)
    return { before, columns: { quantity: rowOf('LineItem', before).quantity + more } }
  },

  completesFrom: [
    'order',
    'item',
    'sku_code',
    'bundle_code',
    'quantity',
    'unit_amount_cents',
    'compare_at_amount_cents',
    'frequency',
    '_external_price',
  ],

  complete: async (after, before, request, step) => {
    if ((columnsOf('LineItem', after).quantity ?? 0) > QUANTITY_MAX)
      return { violations: [tooMany(after['quantity'])] }
    const isEmptied = after['unit_amount_cents'] === null
    const isNewItem = isEmptied || before?.['item_id'] !== after['item_id']
    const sent = sentNames(request)
    const hasAmount = sent.has('unit_amount_cents') && after['unit_amount_cents'] !== null
    const isExternal = hasExternalPrice(after)
    // Sent false, the price is that of the list again.
    const isOtherwisePriced = isExternal !== hasExternalPrice(before ?? {})
    const isSame = !isNewItem && !isOtherwisePriced && before?.['quantity'] === after['quantity']
    if (!COUNTED.has(after['item_type'])) return {}
    if (isSame) return { set: hasAmount ? { has_own_amount: true } : {} }
    const number = isNewItem ? before?.['id'] : undefined
    const unfit = typeof number === 'number' ? await violationsOfOptions(number, after['sku_code'], step) : []
    if (unfit.length > 0) return { violations: unfit }
    const hasCompareAtAmount = sent.has('compare_at_amount_cents')
    if (after['item_type'] === 'bundles')
      return priceBundleLine({ line: after, hasAmount, hasCompareAtAmount, isNewItem }, step)
    const asked = isExternal && !hasAmount && !step.isImport
    const external = asked ? await externalPriceOf(after, before, step.locked ?? {}, step) : {}
    if (external.violations !== undefined) return { violations: external.violations }
    const isPriced = hasAmount || external.set !== undefined
    const isFresh = isNewItem || isOtherwisePriced
    const line = { line: after, hasAmount: isPriced, hasCompareAtAmount, isNewItem: isFresh }
    const priced = await priceLine(line, step)
    return external.set === undefined ? priced : { ...priced, set: { ...priced.set, ...external.set } }
  },

  /** Who shops does not take away what the shop adds. */
  refuseDelete: async (line, step) => {
    const isShops = line['item_type'] === 'adjustments' && step.scope.salesChannel !== undefined
    if (isShops) throw new AppError('unauthorized')
    await refuseDeleteOfPart(step)
  },

  consequences: async ({ before, after, number }, _request, step) => {
    const order = step.locked
    if (order === undefined) return {}
    if (after === undefined) await release({ column: 'line_item_id', numbers: [number] }, step)
    const stored = await readLines(numberOf(order), step)
    const line = after === undefined ? undefined : { ...NEW_LINE, ...after }
    const lines =
      before === undefined
        ? [...stored, { before, after: line }]
        : stored.map((other) => (other.before?.['id'] === number ? { before, after: line } : other))
    const recalculated = await recalculateOrder(order, lines, step)
    // Options go with their line.
    const options = after === undefined ? await readOptions(numberOf(order), step) : undefined
    const left = options?.filter(({ line_item_id: line }) => line !== number).length
    const set = { ...recalculated.set, ...(left === undefined ? {} : { line_item_options_count: left }) }
    const result = { ...recalculated, set }
    const isWritten = (row: Row | undefined): boolean => row?.['id'] === number
    const written = result.lines.find((each) => isWritten(each.after))?.after
    const others = result.lines.filter((each) => !isWritten(each.before ?? each.after))
    return {
      set: line === undefined || written === undefined ? {} : changedColumns(line, written),
      ...orderWrites(order, { ...result, lines: others }, step.registry),
    }
  },
}

/** Articles of which an order can have several: the type of their lines, and the column with their number. */
const COUNTED: ReadonlyMap<unknown, string> = new Map([
  ['skus', 'sku_id'],
  ['bundles', 'bundle_id'],
])

/** What a new line has when nothing is sent. An amount is looked up unless it is sent; one that was sent is no price. */
const PLAIN: Row = { metadata: {}, reference: null, reference_origin: null }

const isSameButQuantity = (line: Row, columns: Row): boolean => {
  const { quantity: _quantity, unit_amount_cents: amount = null, ...others } = columns
  const compared = {
    ...PLAIN,
    ...others,
    has_own_amount: amount !== null,
    ...(amount === null ? {} : { unit_amount_cents: amount }),
  }
  return Object.keys(changedColumns(line, compared)).length === 0
}

/** The same answer as to a quantity that is sent at once, for one that grows by `_update_quantity`. */
const tooMany = (value: unknown): WriteViolation => ({
  at: { attribute: 'quantity' },
  error: 'less_than_or_equal_to',
  message: `must be less than or equal to ${QUANTITY_MAX}`,
  value,
  count: QUANTITY_MAX,
})
