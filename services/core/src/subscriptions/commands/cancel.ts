/** `_cancel`: the subscription ends, and with it the copies that have not begun. */
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import type { Command, CommandOutcome } from '../../engine/write/commands.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import type { Start } from '../../states/transition.ts'
import { transition } from '../../states/transition.ts'
import { statesOfCopy } from '../order-factory-states.ts'
import { orderSubscriptionStates } from '../order-subscription-states.ts'

type Step = Pick<ReactionStep, 'run' | 'registry' | 'scope' | 'now'>

/** Locks the copies; whoever cancels has locked the subscription. */
const abortCopies = async (
  subscription: number,
  { run, registry, scope, now }: Step,
): Promise<RowWrite[]> => {
  const copies = await run<RowOf<'OrderFactory'>>({
    text: `SELECT * FROM order_factories WHERE environment_id = $1 AND order_subscription_id = $2 AND status = 'pending'
      ORDER BY id FOR NO KEY UPDATE`,
    values: [scope.environmentId, subscription],
  })
  const writes: RowWrite[] = []
  for (const before of copies) {
    const start = { transition: 'abort' } as const
    const { set, topics } = await transition(statesOfCopy(before.type), before, { start, subject: { now } })
    writes.push({ definition: registry.require(before.type), before, columns: set, topics })
  }
  return writes
}

export const cancelSubscription = async (
  subscription: RowOf<'OrderSubscription'>,
  start: Start<keyof typeof orderSubscriptionStates.transitions>,
  step: Step,
): Promise<CommandOutcome> => {
  const subject = { subscription, now: step.now }
  const { violations, set, topics } = await transition(orderSubscriptionStates, subscription, {
    start,
    subject,
  })
  if (!('status' in set)) return { violations }
  return { set, topics, writes: await abortCopies(subscription.id, step) }
}

export const cancel: Command = {
  trigger: '_cancel',
  run: async ({ row, before, step }) => {
    const planned = await cancelSubscription(rowOf('OrderSubscription', row), { trigger: '_cancel' }, step)
    return before === undefined || planned.set === undefined
      ? planned
      : { ...planned, expected: { status: before['status'] } }
  },
}
