/** Why nothing can be moved of a transaction that has no balance. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Movement } from '../ledger.ts'

export const nothingLeft = (movement: Movement, attribute: string): WriteViolation => ({
  at: { attribute },
  error: 'nothing_to_move',
  message: `cannot be done, because ${reasonOf(movement)}`,
})

const reasonOf = ({
  succeeded,
  capture_amount_cents: captured,
  void_amount_cents: voided,
  refund_amount_cents: refunded,
}: Movement): string => {
  if (!succeeded) return 'the transaction did not succeed'
  if (voided > 0) return 'the authorization was voided'
  if (captured > 0) return 'the authorization was captured'
  return refunded > 0 ? 'the whole capture was refunded' : 'the order is paid already'
}
