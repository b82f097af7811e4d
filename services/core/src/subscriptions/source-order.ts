/** The order that a subscription began with. */
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export const sourceOrderOf = async (
  { source_order_id: number }: Pick<RowOf<'OrderSubscription'>, 'source_order_id'>,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<RowOf<'Order'> | undefined> => {
  const [order] = await run<RowOf<'Order'>>(selectRow('orders', scope.environmentId, number, false))
  return order
}

/** It was placed, and not cancelled since. */
export const isPlaced = ({ placed_at: placed, cancelled_at: cancelled }: RowOf<'Order'>): boolean =>
  placed !== null && cancelled === null

/** Null while it is a cart, and when it was cancelled. */
export const placedAtOf = async (
  subscription: Pick<RowOf<'OrderSubscription'>, 'source_order_id'>,
  step: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<Date | null> => {
  const order = await sourceOrderOf(subscription, step)
  return order !== undefined && isPlaced(order) ? order.placed_at : null
}
