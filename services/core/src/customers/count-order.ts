/** Counts a placed order of a customer, whose status follows: prospect, acquired, repeat (lifecycles.md 9). */
import type { RowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export interface CountedOrder {
  readonly writes: readonly RowWrite[]
  /** Whether the customer had ordered before. */
  readonly isReturning: boolean
}

/** Locks the customer. An order locks itself before and stock items after. */
export const countOrder = async (
  customer: number | null,
  { run, registry, scope }: Pick<WorkflowStep, 'run' | 'registry' | 'scope'>,
): Promise<CountedOrder> => {
  const text = 'SELECT * FROM customers WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  const [before] = await run<RowOf<'Customer'>>({ text, values: [scope.environmentId, customer] })
  if (before === undefined) return { writes: [], isReturning: false }
  const count = before.total_orders_count + 1
  const status = count === 1 ? 'acquired' : 'repeat'
  const topics = status === before.status ? [] : [`customers.${status}`]
  const columns = { total_orders_count: count, status }
  const definition = registry.require('customers')
  return { writes: [{ definition, before, columns, topics }], isReturning: count > 1 }
}
