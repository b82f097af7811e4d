import { boolean, instant, integer, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { observed, tagAction, tagged, tagTriggers, versioned } from '../definitions/shared-relationships.ts'
import { FREQUENCY_CHARACTERS_MAX } from './frequencies-of-model.ts'
import { frequencyOfSubscription } from './frequency-of-subscription.ts'
import { orderSubscriptionStates } from './order-subscription-states.ts'
import { runOptions } from './run-options.ts'
import { sourceOfSubscription } from './source-of-subscription.ts'

const ranked = { filter: true, sort: true } as const
const found = { include: true, ...ranked } as const

const RENEWAL_HOURS_MAX = 720

/** Orders of a customer that are made again and again. */
export const orderSubscriptions = defineResource('order_subscriptions', {
  summary: 'An order that is made again and again for a customer.',
  model: 'orderSubscription',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: text(ranked),
    status: oneOf(orderSubscriptionStates.states, ranked),
    frequency: text({ write: 'always', required: true, max: FREQUENCY_CHARACTERS_MAX, ...ranked }),
    activate_by_source_order: boolean({ write: 'always', default: true }),
    place_target_order: boolean({ write: 'always', default: true }),
    renewal_alert_period: integer({ write: 'always', default: 1, min: 1, max: RENEWAL_HOURS_MAX }),
    customer_email: email({ write: 'never', filter: true }),
    starts_at: instant({ write: 'create', ...ranked }),
    expires_at: instant({ write: 'always', ...ranked }),
    last_run_at: instant(ranked),
    next_run_at: instant({ write: 'update', ...ranked }),
    occurrencies: integer(ranked),
    errors_count: integer(ranked),
    succeeded_on_last_run: boolean(ranked),
    options: object({ write: 'always' }),
    _activate: trigger({ isCommand: true }),
    _deactivate: trigger({ isCommand: true }),
    _cancel: trigger({ isCommand: true }),
    _convert: trigger({ isCommand: true }),
    ...tagTriggers,
  },
  relationships: {
    market: toOne('markets', { write: 'create', ...found }),
    subscription_model: toOne('subscription_models', found),
    source_order: toOne('orders', { write: 'create', required: true, include: true, filter: true }),
    customer: toOne('customers', found),
    customer_payment_source: toOne('customer_payment_sources', { write: 'update', ...found }),
    order_subscription_items: toMany('order_subscription_items', {
      inverse: 'order_subscription',
      include: true,
    }),
    order_factories: toMany('order_factories', { virtual: 'copies_of_subscription', include: true }),
    order_copies: toMany('order_copies', { inverse: 'order_subscription', include: true, endpoint: false }),
    recurring_order_copies: toMany('recurring_order_copies', {
      inverse: 'order_subscription',
      include: true,
    }),
    orders: toMany('orders', { inverse: 'order_subscription', include: true }),
    ...observed,
    ...tagged('order_subscription_id'),
    ...versioned,
  },
  actions: tagAction,
  rules: [sourceOfSubscription, frequencyOfSubscription, runOptions],
  onDelete: refuseWhile(({ status }) =>
    status === 'active' || status === 'running'
      ? `A subscription that is ${status} stays; _cancel ends it.`
      : undefined,
  ),
})
