import type { Area } from '../engine/area.ts'
import { adjustments } from './adjustments.ts'
import { availableFreeBundles, availableFreeSkus } from './available-free-gifts.ts'
import { orderCommands } from './commands/commands.ts'
import { reserveLine } from './commands/reserve-line.ts'
import { ordersIndex } from './indexed-types.ts'
import { lineItemOptions } from './line-item-options.ts'
import { lineItemWorkflow } from './line-item-workflow.ts'
import { lineItems } from './line-items.ts'
import { optionWorkflow } from './option-workflow.ts'
import { orderWorkflow } from './order-workflow.ts'
import { orders as ordersResource } from './orders.ts'
import { orderReactions } from './reactions.ts'
import { resourceErrors } from './resource-errors.ts'
import { shipmentOfOrderWorkflow } from './shipment-of-order.ts'
import {
  lineItemVisibility,
  optionsOfOrder,
  optionVisibility,
  orderVisibility,
  resourceErrorVisibility,
} from './visibility.ts'

export const orders: Area = {
  resources: [ordersResource, lineItems, lineItemOptions, adjustments, resourceErrors],
  visibility: {
    orders: orderVisibility,
    line_items: lineItemVisibility,
    line_item_options: optionVisibility,
    resource_errors: resourceErrorVisibility,
  },
  workflows: {
    orders: orderWorkflow,
    line_items: lineItemWorkflow,
    line_item_options: optionWorkflow,
    shipments: shipmentOfOrderWorkflow,
  },
  virtualRelationships: { options_of_order: optionsOfOrder },
  computedRelationships: {
    order_available_free_skus: availableFreeSkus,
    order_available_free_bundles: availableFreeBundles,
  },
  commands: { orders: orderCommands, line_items: [reserveLine] },
  reactions: orderReactions,
  indexed: ordersIndex,
  topics: {
    orders: [
      'create',
      'draft',
      'pending',
      'placing',
      'place',
      'start_editing',
      'stop_editing',
      'approve',
      'cancel',
      'rebuild_shipments',
      'tax_calculation_failed',
      'start_fulfilling',
      'cancel_fulfilling',
      'fulfill',
      'authorize',
      'pay',
      'void',
      'refund',
      'destroy',
      'create_subscriptions',
      'cancel_subscriptions',
      'tagged',
    ],
    line_items: ['tagged'],
    line_item_options: ['tagged'],
  },
}
