/** The subscriptions of a placed order: one for each frequency of its lines, or one for each line, as its market's model says. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import type { CommandOutcome } from '../engine/write/commands.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'
import { transition } from '../states/transition.ts'
import { canonicalFrequency } from './frequency.ts'
import { orderSubscriptionStates } from './order-subscription-states.ts'

type Step = Pick<ReactionStep, 'run' | 'registry' | 'scope' | 'now'>

const MODEL = `SELECT models.* FROM markets
  JOIN subscription_models AS models ON models.environment_id = $1 AND models.id = markets.subscription_model_id
  WHERE markets.environment_id = $1 AND markets.id = $2`

/** The model of a market; its subscriptions run by themselves. */
export const modelOfMarket = async (
  market: number,
  { run, scope }: Pick<Step, 'run' | 'scope'>,
): Promise<RowOf<'SubscriptionModel'> | undefined> => {
  const [model] = await run<RowOf<'SubscriptionModel'>>({
    text: MODEL,
    values: [scope.environmentId, market],
  })
  return model
}

/** What can be ordered again. */
const REPEATABLE: readonly unknown[] = ['skus', 'bundles']

type Line = RowOf<'LineItem'>

const groupsOf = (lines: readonly Line[], strategy: string | null): readonly (readonly Line[])[] =>
  strategy === 'by_line_items'
    ? lines.map((line) => [line])
    : [...Map.groupBy(lines, ({ frequency }) => canonicalFrequency(frequency ?? '')).values()]

/** `order` and `lines` are the rows as they will be. */
export const planSubscriptions = async (
  order: RowOf<'Order'>,
  lines: readonly Row[],
  step: Step,
): Promise<CommandOutcome> => {
  const model = await modelOfMarket(order.market_id, step)
  const refuse = (error: string, message: string): CommandOutcome => ({
    violations: [{ at: { attribute: '_create_subscriptions' }, error, message } satisfies WriteViolation],
  })
  if (model === undefined)
    return refuse('no_subscription_model', 'needs an order of a market with a subscription model')
  const repeated = lines
    .map((line) => rowOf('LineItem', line))
    .filter(({ frequency, item_type: type }) => (frequency ?? '') !== '' && REPEATABLE.includes(type))
  const groups = groupsOf(repeated, model.strategy)
  if (groups.length === 0) return refuse('nothing_to_repeat', 'needs a line item with a frequency')
  const numbers = await step.run(reserveNumbers('order_subscriptions', groups.length))
  const writes: RowWrite[] = []
  for (const [at, group] of groups.entries())
    writes.push(...(await subscriptionOf(order, group, model, numberOf(numbers[at] ?? {}), step)))
  return {
    set: { subscription_created_at: step.now, wants_subscriptions: false },
    writes,
    topics: ['orders.create_subscriptions'],
  }
}

const subscriptionOf = async (
  order: RowOf<'Order'>,
  lines: readonly Line[],
  model: RowOf<'SubscriptionModel'>,
  number: number,
  step: Step,
): Promise<readonly RowWrite[]> => {
  const isActive = model.auto_activate === true
  const columns = {
    ...NEW,
    frequency: lines[0]?.frequency,
    activate_by_source_order: isActive,
    market_id: order.market_id,
    subscription_model_id: model.id,
    source_order_id: order.id,
    customer_id: order.customer_id,
    customer_email: order.customer_email,
  }
  const subject = {
    subscription: rowOf('OrderSubscription', columns),
    now: step.now,
    placedAt: order.placed_at,
  }
  const start = { transition: 'activate' } as const
  const activated = isActive
    ? await transition(orderSubscriptionStates, columns, { start, subject })
    : { set: {}, topics: [] }
  return [
    {
      definition: step.registry.require('order_subscriptions'),
      number,
      before: undefined,
      columns: { ...columns, ...activated.set },
      topics: ['order_subscriptions.create', ...activated.topics],
    },
    ...itemsOf(number, lines, step),
  ]
}

const NEW = {
  status: orderSubscriptionStates.initial,
  place_target_order: true,
  renewal_alert_period: 1,
  anchor_at: null,
  starts_at: null,
  expires_at: null,
  last_run_at: null,
  next_run_at: null,
  occurrencies: 0,
  errors_count: 0,
  retries_count: 0,
}

/** The items of a subscription that orders what the lines are of. */
export const itemsOf = (
  subscription: number,
  lines: readonly Line[],
  { registry }: Pick<Step, 'registry'>,
): readonly RowWrite[] =>
  lines.map((line) => ({
    definition: registry.require('order_subscription_items'),
    before: undefined,
    columns: {
      order_subscription_id: subscription,
      source_line_item_id: line.id,
      item_type: line.item_type,
      item_id: line.item_id,
      sku_code: line.sku_code,
      bundle_code: line.bundle_code,
      quantity: line.quantity,
      currency_code: line.currency_code,
      unit_amount_cents: line.unit_amount_cents,
      total_amount_cents: line.unit_amount_cents * line.quantity,
      has_own_amount: line.has_own_amount,
    },
  }))

/** Lines that a subscription of this frequency repeats: those with the same one, else all of an order without any. */
export const linesToRepeat = (lines: readonly Line[], frequency: string): readonly Line[] => {
  const repeatable = lines.filter(({ item_type: type }) => REPEATABLE.includes(type))
  const same = repeatable.filter(
    (line) => line.frequency !== null && canonicalFrequency(line.frequency) === canonicalFrequency(frequency),
  )
  return same.length > 0 ? same : repeatable
}
