import { boolean, list, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, audited } from '../definitions/shared-relationships.ts'
import { frequenciesOfModel } from './frequencies-of-model.ts'

/** One subscription for each frequency of an order, or one for each of its lines. */
export const STRATEGIES = ['by_frequency', 'by_line_items'] as const

/** Enough for every interval and some crontabs. */
const FREQUENCIES_MAX = 50

/** What the subscriptions of a market have in common: how often they may run, and what begins and ends them. */
export const subscriptionModels = defineResource('subscription_models', {
  summary: 'How often the subscriptions of a market may run, and what begins and ends them.',
  model: 'subscriptionModel',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    strategy: oneOf(STRATEGIES, { write: 'always', default: 'by_frequency', filter: true, sort: true }),
    frequencies: list({ write: 'always', required: true, min: 1, max: FREQUENCIES_MAX }),
    auto_activate: boolean({ write: 'always', default: true, filter: true }),
    auto_cancel: boolean({ write: 'always', default: false, filter: true }),
  },
  relationships: {
    markets: toMany('markets', { inverse: 'subscription_model', include: true }),
    order_subscriptions: toMany('order_subscriptions', { inverse: 'subscription_model', include: true }),
    ...attachable,
    ...audited,
  },
  rules: [frequenciesOfModel],
  onDelete: refuseWhileReferencedBy('markets', 'order_subscriptions'),
})
