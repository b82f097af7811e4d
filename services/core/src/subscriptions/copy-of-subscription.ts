import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'

/** A copy beside the schedule: of a subscription that makes its orders by itself, and of its own source order. */
export const copyOfSubscription: Rule = async ({ operation, after, find }) => {
  if (operation !== 'create') return {}
  const row = await find.byNumber('order_subscriptions', after['order_subscription_id'])
  if (row === undefined) return {}
  const subscription = rowOf('OrderSubscription', row)
  const violations: WriteViolation[] = []
  if (subscription.subscription_model_id === null)
    violations.push({
      at: { relationship: 'order_subscription' },
      error: 'invalid',
      message: 'has no items of its own; send _convert to it, or create an order copy of its source order',
    })
  if (subscription.status === 'cancelled')
    violations.push({
      at: { relationship: 'order_subscription' },
      error: 'invalid_status',
      message: 'is cancelled',
    })
  const source = after['source_order_id']
  if (typeof source === 'number' && source !== subscription.source_order_id)
    violations.push({
      at: { relationship: 'source_order' },
      error: 'invalid',
      message: 'must be the source order of the subscription',
    })
  return { violations }
}
