/** Promises an order its stock, after planning once more where others have taken what it was to get. The order is locked. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../../engine/database/rows.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { holdStock } from './hold-stock.ts'
import { lockOrderStock } from './order-stock.ts'
import type { OrderedStock } from './order-stock.ts'
import { coverStock } from './plan-again.ts'

export interface PromisedStock {
  /** Why the write must fail. */
  readonly violations: readonly WriteViolation[]
  /** Columns and events of the order. */
  readonly set: Row
  readonly topics: readonly string[]
  readonly writes: readonly RowWrite[]
}

export const promiseStock = async (
  order: RowOf<'Order'>,
  lines: readonly Row[],
  ordered: OrderedStock,
  step: ReactionStep,
): Promise<PromisedStock> => {
  const covered = await coverStock(order, lines, await lockOrderStock(ordered, step), step)
  if (covered.violations.length > 0) return { ...covered, writes: [] }
  const { violations, writes } = await holdStock(covered.stock, step)
  return { violations, set: covered.set, topics: covered.topics, writes }
}
