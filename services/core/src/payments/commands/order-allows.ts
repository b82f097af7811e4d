/** When a trigger of a transaction may be sent, by the status of its order (lifecycles.md 1.5 and 6.1). */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../../engine/database/rows.ts'

/** Trigger → the statuses of an order in which its transactions take it. */
export const TRANSACTION_TRIGGERS = {
  _capture: ['approved'],
  _refund: ['placed', 'approved'],
  _void: ['placed', 'editing', 'approved'],
  _cancel: ['draft', 'pending'],
} as const satisfies Record<string, readonly string[]>

export type TransactionTrigger = keyof typeof TRANSACTION_TRIGGERS

export const refusalByStatus = (trigger: TransactionTrigger, order: Row): WriteViolation | undefined => {
  const { status } = rowOf('Order', order)
  const allowed: readonly string[] = TRANSACTION_TRIGGERS[trigger]
  if (allowed.includes(status)) return undefined
  const message = `cannot be sent while the order is ${status}, only while it is ${allowed.join(' or ')}`
  return { at: { attribute: trigger }, error: 'invalid_status', message, value: status }
}
