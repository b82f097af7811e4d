/**
 * Plans the shipments of an order once more when it is placed: since its cart was planned, others may have taken what it was
 * to get, while another location still has it. The order and its stock are locked.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../../engine/database/rows.ts'
import { persist } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { linesWithShipments, recalculateOrder } from '../totals/recalculate-order.ts'
import { readPlanned } from './order-stock.ts'
import type { OrderStock } from './order-stock.ts'
import { outOfStockIn } from './out-of-stock.ts'
import { allocateStock, isPlanCovered } from './plan-stock.ts'

export interface CoveredStock {
  /** Why the order cannot be placed as its buyer saw it. */
  readonly violations: readonly WriteViolation[]
  readonly stock: OrderStock
  /** Columns and events of the order. */
  readonly set: Row
  readonly topics: readonly string[]
}

/** Another plan is written at once, so that what is read after it sees it. The order may cost neither more nor less than before. */
export const coverStock = async (
  order: RowOf<'Order'>,
  lines: readonly Row[],
  stock: OrderStock,
  step: ReactionStep,
): Promise<CoveredStock> => {
  if (isPlanCovered(stock)) return { violations: [], stock, set: {}, topics: [] }
  const violations = shortOf(stock)
  if (violations.length > 0) return { violations, stock, set: {}, topics: [] }
  const current = lines.map((line) => ({ before: line, after: line }))
  const {
    set,
    lines: recalculated,
    shipments,
    topics,
  } = await recalculateOrder(order, current, { ...step, isImport: false }, { isRefresh: true })
  if (shipments === undefined) return { violations: [], stock, set: {}, topics: [] }
  const total = set['total_amount_with_taxes_cents']
  const isSame = total === order.total_amount_with_taxes_cents && shipments.costs.length === shipments.count
  if (!isSame) return { violations: [replanned(total)], stock, set: {}, topics: [] }
  const { run, registry, scope, actor } = step
  const writes = linesWithShipments(recalculated, shipments, registry)
  await persist(writes, { run, registry, environmentId: scope.environmentId, actor })
  return { violations: [], stock: await readPlanned(stock, step), set, topics }
}

/** What all locations together have not enough of. */
const shortOf = (stock: OrderStock): readonly WriteViolation[] =>
  outOfStockIn(stock, allocateStock(stock.lines, [], stock.places))

const replanned = (total: unknown): WriteViolation => ({
  at: { relationship: 'shipments' },
  error: 'stock_moved',
  message: `must be planned again, because stock of theirs was taken meanwhile, and the order would cost ${String(total)}; send _refresh and place it then`,
  value: total,
})
