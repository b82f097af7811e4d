/** Copies of orders: of any order, and of the items of a subscription. Both are in one table. */
import { boolean, instant, integer, object, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { audited, observed } from '../definitions/shared-relationships.ts'
import { copyOfSubscription } from './copy-of-subscription.ts'
import { orderCopyStates } from './order-factory-states.ts'

const ranked = { filter: true, sort: true } as const
const created = { write: 'create' } as const

const progress = {
  status: oneOf(orderCopyStates.states, ranked),
  started_at: instant(ranked),
  completed_at: instant(ranked),
  failed_at: instant(ranked),
  errors_log: object(),
  errors_count: integer(ranked),
} as const

const ends = {
  source_order: toOne('orders', { ...created, required: true, include: true, filter: true }),
  target_order: toOne('orders', { include: true, filter: true }),
  ...observed,
  ...audited,
} as const

export const orderFactories = defineResource('order_factories', {
  summary: 'All copies of orders, whatever their kind.',
  model: 'orderFactory',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: ['order_copies', 'recurring_order_copies'] },
  attributes: { ...progress, place_target_order: boolean(), reuse_wallet: boolean() },
  relationships: { ...ends, source_order: toOne('orders', { include: true, filter: true }) },
})

/** What a worker is about to do, or does. */
const unfinished = refuseWhile(({ status }) =>
  status === 'pending' || status === 'in_progress'
    ? 'The order is about to be copied; try again in some seconds.'
    : undefined,
)

const choices = {
  place_target_order: boolean(created),
  reuse_wallet: boolean({ ...created, default: true }),
} as const

export const orderCopies = defineResource('order_copies', {
  summary: 'A new order like another one.',
  model: 'orderFactory',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'order_factories',
  attributes: {
    ...progress,
    ...choices,
    cancel_source_order: boolean(created),
    apply_promotions: boolean({ ...created, default: false }),
    skip_errors: boolean({ ...created, default: false }),
    ignore_invalid_coupon: boolean({ ...created, default: false }),
  },
  relationships: {
    ...ends,
    order_subscription: toOne('order_subscriptions', { include: true, sort: true }),
  },
  onDelete: unfinished,
})

export const recurringOrderCopies = defineResource('recurring_order_copies', {
  summary: 'A new order with the items of a subscription.',
  model: 'orderFactory',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'order_factories',
  attributes: { ...progress, ...choices },
  relationships: {
    ...ends,
    order_subscription: toOne('order_subscriptions', {
      ...created,
      required: true,
      include: true,
      ...ranked,
    }),
  },
  rules: [copyOfSubscription],
  onDelete: unfinished,
})
