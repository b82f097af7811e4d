import { ofCustomerVisibility } from '../customers/visibility.ts'
import { whoseRecord } from '../customers/whose-record.ts'
import type { Area } from '../engine/area.ts'
import { inStockCommands, orderSubscriptionCommands } from './commands/commands.ts'
import { inStockSubscriptions } from './in-stock-subscriptions.ts'
import { itemWorkflow } from './item-workflow.ts'
import { orderCopies, orderFactories, recurringOrderCopies } from './order-factories.ts'
import { orderSubscriptionItems } from './order-subscription-items.ts'
import { orderSubscriptionWorkflow } from './order-subscription-workflow.ts'
import { orderSubscriptions } from './order-subscriptions.ts'
import { subscriptionReactions } from './reactions.ts'
import { subscriptionModels } from './subscription-models.ts'
import { inStockVisibility, ofMarketVisibility, ofSourceOrder, ofSubscription } from './visibility.ts'

const OF_COPIES = ['create', 'start', 'complete', 'fail', 'destroy']

export const subscriptions: Area = {
  resources: [
    subscriptionModels,
    orderSubscriptions,
    orderSubscriptionItems,
    orderFactories,
    orderCopies,
    recurringOrderCopies,
    inStockSubscriptions,
  ],
  visibility: {
    in_stock_subscriptions: inStockVisibility,
    order_subscriptions: (alias, build) => [
      ...ofMarketVisibility(alias, build),
      ...ofCustomerVisibility(alias, build),
    ],
    order_subscription_items: ofSubscription,
    order_factories: ofSourceOrder,
    order_copies: ofSourceOrder,
    recurring_order_copies: ofSourceOrder,
  },
  workflows: {
    in_stock_subscriptions: whoseRecord,
    order_subscriptions: orderSubscriptionWorkflow,
    order_subscription_items: itemWorkflow,
  },
  commands: { in_stock_subscriptions: inStockCommands, order_subscriptions: orderSubscriptionCommands },
  reactions: subscriptionReactions,
  topics: {
    in_stock_subscriptions: ['create', 'activate', 'deactivate', 'notify', 'destroy'],
    order_subscriptions: [
      'create',
      'activate',
      'deactivate',
      'cancel',
      'renewal',
      'last_run_succeeded',
      'last_run_failed',
      'destroy',
      'tagged',
    ],
    order_copies: OF_COPIES,
    recurring_order_copies: OF_COPIES,
  },
  virtualRelationships: {
    copies_of_subscription: ({ owner, target }) => [`${target}.order_subscription_id = ${owner}.id`],
  },
}
