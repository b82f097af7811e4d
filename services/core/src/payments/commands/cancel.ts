/**
 * `_cancel` of an authorization or a capture: the money goes back while the order is a cart, which is unpaid again. An attempt
 * that was given up is seen to again.
 */
import type { Command } from '../../engine/write/commands.ts'
import { advanceTo, afterCancel } from '../after-movement.ts'
import { refundBalance, voidBalance } from '../ledger.ts'
import { againOf, stateOf } from '../outside/attempt.ts'
import { move } from '../payment-plan.ts'
import { nothingLeft } from './nothing-left.ts'
import { refusalByStatus } from './order-allows.ts'
import { refusedBy, transactionCommand } from './transaction-command.ts'
import type { TransactionSubject } from './transaction-command.ts'

const TRIGGER = '_cancel'

const giveBack = async (
  { payment, movement }: TransactionSubject,
  name: 'void' | 'refund',
  amountCents: number,
) => {
  // A gateway that answers later gets its money back when it does.
  if (stateOf(payment.stored.get(movement.id) ?? {}) === 'pending')
    return { ...payment, givenUp: [movement.id] }
  if (amountCents === 0) return refusedBy(payment, nothingLeft(movement, TRIGGER))
  const refusal = refusalByStatus(TRIGGER, payment.order)
  if (refusal !== undefined) return refusedBy(payment, refusal)
  const at = { attribute: TRIGGER }
  return advanceTo(await move(payment, { name, amountCents, origin: movement, at }), afterCancel)
}

/** The job asks the gateway again, a minute later. */
const orAgain = (command: Command): Command => ({
  ...command,
  run: async (input) => {
    const again = againOf(input.row)
    return again === undefined ? command.run(input) : { set: { ...again, attempted_at: input.step.now } }
  },
})

export const cancelAuthorization = orAgain(
  transactionCommand(TRIGGER, async (subject) =>
    subject.movement.void_amount_cents > 0
      ? subject.payment
      : giveBack(subject, 'void', voidBalance(subject.movement)),
  ),
)

export const cancelCapture = orAgain(
  transactionCommand(TRIGGER, async (subject) => {
    const { movement, payment } = subject
    const left = refundBalance(movement)
    return left === 0 && movement.refund_amount_cents > 0 ? payment : giveBack(subject, 'refund', left)
  }),
)
