/** Types whose writes have more to them than their own row. */
import { attachmentWorkflow } from '../../activity/attachment-workflow.ts'
import { tagWorkflow } from '../../activity/tag-workflow.ts'
import { lineItemWorkflow } from '../../orders/line-item-workflow.ts'
import { orderWorkflow } from '../../orders/order-workflow.ts'
import type { WriteWorkflow } from './write-workflow.ts'

const workflows: Readonly<Record<string, WriteWorkflow>> = {
  attachments: attachmentWorkflow,
  line_items: lineItemWorkflow,
  orders: orderWorkflow,
  tags: tagWorkflow,
}

/** What surrounds the writes of a type; most types have nothing. */
export const workflowOf = (type: string): WriteWorkflow => workflows[type] ?? {}
