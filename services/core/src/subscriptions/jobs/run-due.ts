/**
 * Begins the runs that are due, each once: the subscription is locked and moves on in the transaction that makes its copy, and a
 * subscription has one copy for each time (a key of the table). One run makes up for all that were missed (docs/adr/0116).
 */
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import { persistAndReact } from '../../engine/write/react.ts'
import { defineJob } from '../../jobs/define-job.ts'
import { transition } from '../../states/transition.ts'
import { orderCopyStates } from '../order-factory-states.ts'
import { orderSubscriptionStates } from '../order-subscription-states.ts'
import { UNSCHEDULED } from '../schedule.ts'
import { oneEnvironmentOf, scopeOf } from './due-rows.ts'
import type { Due } from './due-rows.ts'
import { runCopy } from './run-copy.ts'

const RUNS_MAX = 50

const DUE = oneEnvironmentOf('next_run_at')

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

type Subscription = RowOf<'OrderSubscription'>

/** A manual subscription is charged only with a payment source that somebody chose for it (docs/adr/0117). */
const copyOf = (subscription: Subscription): RowWrite['columns'] => {
  const { subscription_model_id: model, customer_payment_source_id: wallet } = subscription
  const isCharged = model !== null || wallet !== null
  return {
    status: orderCopyStates.initial,
    source_order_id: subscription.source_order_id,
    order_subscription_id: subscription.id,
    due_at: subscription.next_run_at,
    place_target_order: subscription.place_target_order === true && isCharged,
    reuse_wallet: model !== null,
  }
}

export const runDue = defineJob({
  name: 'subscriptions.run-due',
  cron: '* * * * *',
  retryDelaysSeconds: [1, 5, 30],
  run: async (_payload, { run, registry, now, enqueue }) => {
    const due = await run<Due>({ text: DUE, values: [now, RUNS_MAX] })
    const [first] = due
    if (first === undefined) return 'done'
    const step = { run, registry, scope: scopeOf(first), actor: ACTOR, now }
    const definition = registry.require('order_subscriptions')
    const writes: RowWrite[] = []
    for (const { organization_id: _organization, mode: _mode, ...row } of due) {
      const before = rowOf('OrderSubscription', row)
      if (before.expires_at !== null && before.expires_at <= now) {
        writes.push({ definition, before, columns: { ...UNSCHEDULED } })
        continue
      }
      const start = { transition: 'run' } as const
      const subject = { subscription: before, now }
      const { set, topics } = await transition(orderSubscriptionStates, before, { start, subject })
      const type = before.subscription_model_id === null ? 'order_copies' : 'recurring_order_copies'
      writes.push(
        { definition, before, columns: set, topics },
        {
          definition: registry.require(type),
          before: undefined,
          columns: { ...copyOf(before), type },
          topics: [`${type}.create`],
        },
      )
    }
    const written = await persistAndReact(writes, step)
    for (const { definition: made, row } of written)
      if (made.memberOf === 'order_factories')
        await enqueue(runCopy, { environmentId: step.scope.environmentId, id: numberOf(row) }, run)
    return 'again'
  },
})
