/** The commands of subscriptions, in the order in which they run when one request sends several. */
import { rowOf } from '../../engine/database/rows.ts'
import type { Command, CommandContext } from '../../engine/write/commands.ts'
import { transitionCommand } from '../../states/transition-command.ts'
import { inStockStates } from '../in-stock-states.ts'
import { orderSubscriptionStates } from '../order-subscription-states.ts'
import type { SubscriptionSubject } from '../order-subscription-states.ts'
import { placedAtOf } from '../source-order.ts'
import { cancel } from './cancel.ts'
import { convert } from './convert.ts'

const subjectOf = async ({ row, step }: CommandContext): Promise<SubscriptionSubject> => {
  const subscription = rowOf('OrderSubscription', row)
  return { subscription, now: step.now, placedAt: await placedAtOf(subscription, step) }
}

export const orderSubscriptionCommands: readonly Command[] = [
  convert,
  transitionCommand(orderSubscriptionStates, '_activate', subjectOf),
  transitionCommand(orderSubscriptionStates, '_deactivate', subjectOf),
  cancel,
]

const timeOf = ({ step }: CommandContext) => ({ now: step.now })

export const inStockCommands: readonly Command[] = [
  transitionCommand(inStockStates, '_activate', timeOf),
  transitionCommand(inStockStates, '_deactivate', timeOf),
]
