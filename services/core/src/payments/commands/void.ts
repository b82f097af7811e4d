/** `_void` of an authorization. When nothing else was authorized or captured the order is cancelled. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../../engine/database/rows.ts'
import { advanceTo, afterVoid } from '../after-movement.ts'
import { voidBalance } from '../ledger.ts'
import { move } from '../payment-plan.ts'
import { nothingLeft } from './nothing-left.ts'
import { refusalByStatus } from './order-allows.ts'
import { refusedBy, transactionCommand } from './transaction-command.ts'

const TRIGGER = '_void'

export const voidAuthorization = transactionCommand(TRIGGER, async ({ payment, movement }) => {
  if (movement.void_amount_cents > 0) return payment
  const at = { attribute: TRIGGER }
  const amountCents = voidBalance(movement)
  if (amountCents === 0) return refusedBy(payment, nothingLeft(movement, TRIGGER))
  const refusal = refusalByStatus(TRIGGER, payment.order) ?? refusalByGoods(payment.order)
  if (refusal !== undefined) return refusedBy(payment, refusal)
  return advanceTo(await move(payment, { name: 'void', amountCents, origin: movement, at }), afterVoid)
})

/** Goods that are on their way are not given away. */
const refusalByGoods = (order: Row): WriteViolation | undefined => {
  const { fulfillment_status: status } = rowOf('Order', order)
  if (status === 'unfulfilled' || status === 'not_required') return undefined
  const message = `cannot be sent while the fulfillment of the order is ${status}, only while it is unfulfilled or not_required`
  return { at: { attribute: TRIGGER }, error: 'invalid_status', message, value: status }
}
