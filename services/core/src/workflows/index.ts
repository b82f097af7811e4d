/** Types whose writes have more to them than their own row. */
import { attachmentWorkflow } from './attachments.ts'
import { lineItemWorkflow } from './line-items.ts'
import { orderWorkflow } from './orders.ts'
import { tagWorkflow } from './tags.ts'
import type { WriteWorkflow } from './write-workflow.ts'

const workflows: Readonly<Record<string, WriteWorkflow>> = {
  attachments: attachmentWorkflow,
  line_items: lineItemWorkflow,
  orders: orderWorkflow,
  tags: tagWorkflow,
}

/** What surrounds the writes of a type; most types have nothing. */
export const workflowOf = (type: string): WriteWorkflow => workflows[type] ?? {}
