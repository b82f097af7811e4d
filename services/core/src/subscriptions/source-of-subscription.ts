import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'

/** A new subscription is of the market and customer of its source order, and has a start or that order to begin with. */
export const sourceOfSubscription: Rule = async ({ operation, after, sent, find }) => {
  if (operation !== 'create') return {}
  const row = await find.byNumber('orders', after['source_order_id'])
  // That the order is unknown was said already.
  if (row === undefined) return {}
  const order = rowOf('Order', row)
  const violations: WriteViolation[] = []
  if (order.customer_id === null)
    violations.push(refuse({ relationship: 'source_order' }, 'blank', 'needs a customer'))
  if (order.status === 'cancelled')
    violations.push(refuse({ relationship: 'source_order' }, 'invalid_status', 'is cancelled'))
  if (sent.has('market') && (after['market_id'] ?? null) !== null && after['market_id'] !== order.market_id)
    violations.push(refuse({ relationship: 'market' }, 'invalid', 'must be the market of the source order'))
  if (after['activate_by_source_order'] === false && (after['starts_at'] ?? null) === null)
    violations.push(
      refuse({ attribute: 'starts_at' }, 'blank', "can't be blank when activate_by_source_order is false"),
    )
  if (violations.length > 0) return { violations }
  const set = {
    market_id: order.market_id,
    customer_id: order.customer_id,
    customer_email: order.customer_email,
  }
  return { set }
}

const refuse = (at: NonNullable<WriteViolation['at']>, error: string, message: string): WriteViolation => ({
  at,
  error,
  message,
})
