import type { Area } from '../engine/area.ts'
import { ordersIndex } from './indexed-types.ts'
import { lineItemWorkflow } from './line-item-workflow.ts'
import { lineItems } from './line-items.ts'
import { orderWorkflow } from './order-workflow.ts'
import { orders as ordersResource } from './orders.ts'
import { resourceErrors } from './resource-errors.ts'
import { lineItemVisibility, orderVisibility, resourceErrorVisibility } from './visibility.ts'

export const orders: Area = {
  resources: [ordersResource, lineItems, resourceErrors],
  visibility: {
    orders: orderVisibility,
    line_items: lineItemVisibility,
    resource_errors: resourceErrorVisibility,
  },
  workflows: { orders: orderWorkflow, line_items: lineItemWorkflow },
  indexed: ordersIndex,
  topics: {
    orders: [
      'create',
      'draft',
      'pending',
      'placing',
      'place',
      'approve',
      'cancel',
      'start_editing',
      'destroy',
      'tagged',
    ],
    line_items: ['tagged'],
  },
}
