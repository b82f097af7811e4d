/** Movements of several transactions of an order. */
import { captureBalance } from './ledger.ts'
import type { Movement } from './ledger.ts'
import { move } from './payment-plan.ts'
import type { MovementToMake, Payment } from './payment.ts'

type Balance = (movement: Movement, payment: Payment) => number

/** Nothing more is planned: it was refused, or an outside gateway could not be asked. */
export const isStopped = ({ violations, failure }: Payment): boolean =>
  violations.length > 0 || failure !== undefined

/** One movement for each of those that have a balance. */
export const moveEach = async (
  payment: Payment,
  name: MovementToMake['name'],
  balance: Balance,
  attribute: string,
): Promise<Payment> => {
  let moved = payment
  for (const origin of payment.ledger) {
    const amountCents = balance(origin, moved)
    if (amountCents === 0 || isStopped(moved)) continue
    moved = await move(moved, { name, amountCents, origin, at: { attribute } })
  }
  return moved
}

/**
 * An order that ends holds nothing: what is open is voided, also the rest of an authorization that was captured in part. Before
 * the refunds, because a gateway that declines a void has then given nothing back yet.
 */
export const voidWhatIsOpen = (payment: Payment, attribute: string): Promise<Payment> =>
  moveEach(payment, 'void', captureBalance, attribute)
