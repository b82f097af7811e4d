/** What happens to subscriptions when their source order is placed or cancelled, and when a copy that a run made has ended. */
import type { ByName } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { Reaction, ReactionStep } from '../engine/write/react.ts'
import { transition } from '../states/transition.ts'
import { cancelSubscription } from './commands/cancel.ts'
import { orderSubscriptionStates } from './order-subscription-states.ts'
import { planSubscriptions } from './plan-subscriptions.ts'

type Subscription = RowOf<'OrderSubscription'>

const subscriptionsOf = (
  order: number,
  condition: string,
  { run, scope }: ReactionStep,
): Promise<readonly Subscription[]> =>
  run<Subscription>({
    text: `SELECT subscriptions.* FROM order_subscriptions AS subscriptions
      LEFT JOIN subscription_models AS models
        ON models.environment_id = $1 AND models.id = subscriptions.subscription_model_id
      WHERE subscriptions.environment_id = $1 AND subscriptions.source_order_id = $2 AND ${condition}
      ORDER BY subscriptions.id FOR NO KEY UPDATE OF subscriptions`,
    values: [scope.environmentId, order],
  })

/** Drafts that wait for their source order begin with it. */
const activate: Reaction = async ({ row, step }) => {
  const order = rowOf('Order', row)
  const definition = step.registry.require('order_subscriptions')
  const writes: RowWrite[] = []
  const waiting = `subscriptions.status = 'draft' AND subscriptions.activate_by_source_order`
  for (const before of await subscriptionsOf(order.id, waiting, step)) {
    const subject = { subscription: before, now: step.now, placedAt: order.placed_at }
    const start = { transition: 'activate' } as const
    const { set, topics } = await transition(orderSubscriptionStates, before, { start, subject })
    writes.push({ definition, before, columns: set, topics })
  }
  return [...writes, ...(await createLater(order, step))]
}

/** `_create_subscriptions` was sent together with the `_place` of an order that a job places. */
const createLater = async (order: RowOf<'Order'>, step: ReactionStep): Promise<readonly RowWrite[]> => {
  if (!order.wants_subscriptions || order.subscription_created_at !== null) return []
  const [before] = await step.run<RowOf<'Order'>>(
    selectRow('orders', step.scope.environmentId, order.id, true),
  )
  if (before === undefined) return []
  const text = 'SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2 ORDER BY id'
  const lines = await step.run({ text, values: [step.scope.environmentId, order.id] })
  const { violations = [], set, topics = [], writes = [] } = await planSubscriptions(before, lines, step)
  // The model of the market was taken away meanwhile: the order is placed all the same.
  const columns = violations.length > 0 ? { wants_subscriptions: false } : set
  return [{ definition: step.registry.require('orders'), before, columns, topics }, ...writes]
}

/** With `auto_cancel` of their model. */
const cancelWithSource: Reaction = async ({ row, step }) => {
  const order = rowOf('Order', row)
  const definition = step.registry.require('order_subscriptions')
  const writes: RowWrite[] = []
  for (const before of await subscriptionsOf(
    order.id,
    `models.auto_cancel AND subscriptions.status <> 'cancelled'`,
    step,
  )) {
    const planned = await cancelSubscription(before, { transition: 'cancel' }, step)
    writes.push(
      { definition, before, columns: planned.set ?? {}, topics: planned.topics ?? [] },
      ...(planned.writes ?? []),
    )
  }
  if (writes.length === 0) return []
  const [before] = await step.run<RowOf<'Order'>>(
    selectRow('orders', step.scope.environmentId, order.id, true),
  )
  const topics = ['orders.cancel_subscriptions']
  return [...writes, { definition: step.registry.require('orders'), before, columns: {}, topics }]
}

/** A copy that nobody's schedule made ends no run. */
const endRun =
  (name: 'succeed' | 'fail'): Reaction =>
  async ({ row, step }) => {
    const copy = rowOf('OrderFactory', row)
    if (copy.due_at === null || copy.order_subscription_id === null) return []
    const { environmentId } = step.scope
    const [before] = await step.run<Subscription>(
      selectRow('order_subscriptions', environmentId, copy.order_subscription_id, true),
    )
    if (before?.status !== 'running') return []
    const subject = { subscription: before, now: step.now }
    const start = { transition: name } as const
    const { set, topics } = await transition(orderSubscriptionStates, before, { start, subject })
    return [{ definition: step.registry.require('order_subscriptions'), before, columns: set, topics }]
  }

export const subscriptionReactions: ByName<Reaction> = {
  'orders.place': activate,
  'orders.cancel': cancelWithSource,
  'order_copies.complete': endRun('succeed'),
  'order_copies.fail': endRun('fail'),
  'recurring_order_copies.complete': endRun('succeed'),
  'recurring_order_copies.fail': endRun('fail'),
}
