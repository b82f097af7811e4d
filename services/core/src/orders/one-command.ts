import type { Rule } from '@merx/jsonapi/rules'
import { memberOfOrder } from './order-changes.ts'
import { RECALCULATING, REFRESHING } from './recalculating.ts'

/** What moves an order on. Each of them works with what is stored, so a request starts one. */
export const MOVING: readonly string[] = [
  '_pending',
  '_place',
  '_start_editing',
  '_stop_editing',
  '_approve',
  '_approve_and_capture',
  '_capture',
  '_refund',
  '_cancel',
  '_fulfill',
  '_authorize',
  '_fix_payment_source',
  '_validate',
]

/** What changes the lines or shipments that a command works with. */
const CHANGING = [
  ...RECALCULATING,
  ...REFRESHING,
  'billing_address',
  '_billing_address_clone_id',
  '_billing_address_same_as_shipping',
]

export const oneCommand: Rule = ({ sent }) => {
  const [first, ...others] = MOVING.filter((name) => sent.has(name))
  const apart = [...others, ...CHANGING.filter((name) => sent.has(name))]
  if (first === undefined || apart.length === 0) return {}
  const message = `cannot be sent together with ${first}; send them one after the other`
  return { violations: apart.map((name) => ({ at: memberOfOrder(name), error: 'invalid', message })) }
}
