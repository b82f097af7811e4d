/** Money of a placed order moves once it is approved; before that, `_cancel` gives it back (lifecycles.md 1.5). */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../../engine/database/rows.ts'
import type { CommandOutcome } from '../../engine/write/commands.ts'
import { MONEY_MOVES_IN } from '../money-triggers.ts'

/** Undefined when the trigger may go on; nothing to do when the payment has one of the statuses `done` already. */
export const whileApproved = (
  trigger: '_capture' | '_refund',
  order: Row,
  done: readonly string[],
): CommandOutcome | undefined => {
  const { status = '', payment_status: payment = '' } = columnsOf('Order', order)
  if (done.includes(payment)) return {}
  if (status === MONEY_MOVES_IN) return undefined
  const message = `cannot be done to an order that is ${status}, only while it is approved`
  return { violations: [{ at: { attribute: trigger }, error: 'invalid_status', message, value: status }] }
}
