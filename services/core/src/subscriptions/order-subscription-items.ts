import { cents, integer, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { audited } from '../definitions/shared-relationships.ts'
import { itemOfSubscription } from './item-of-subscription.ts'

const ITEM_TYPES = ['skus', 'bundles', 'adjustments'] as const

/** An article of a subscription: every run orders it. */
export const orderSubscriptionItems = defineResource('order_subscription_items', {
  summary: 'An article of a subscription, which every run orders.',
  model: 'orderSubscriptionItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    sku_code: text({ write: 'always', max: 255 }),
    bundle_code: text({ write: 'always', max: 255 }),
    quantity: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    unit_amount_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    total_amount_cents: cents(),
  },
  relationships: {
    order_subscription: toOne('order_subscriptions', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    item: polymorphicToOne(ITEM_TYPES, { write: 'create', include: true, endpoint: false }),
    // Columns that PostgreSQL generates from the item's type and number.
    sku: toOne('skus', { include: true, filter: true, endpoint: false }),
    bundle: toOne('bundles', { include: true, filter: true, endpoint: false }),
    adjustment: toOne('adjustments', { include: true, filter: true, endpoint: false }),
    source_line_item: toOne('line_items', { include: true, filter: true }),
    ...audited,
  },
  rules: [itemOfSubscription],
})
