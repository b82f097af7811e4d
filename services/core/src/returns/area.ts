import type { Area } from '../engine/area.ts'
import { returnCommands } from './commands.ts'
import { returnReactions } from './reactions.ts'
import { restockLine } from './restock.ts'
import { returnLineItems } from './return-line-items.ts'
import { returnLineWorkflow } from './return-line-workflow.ts'
import { returnWorkflow } from './return-workflow.ts'
import { returns as returnsResource } from './returns.ts'
import { returnLineItemVisibility, returnVisibility } from './visibility.ts'

export const returns: Area = {
  resources: [returnsResource, returnLineItems],
  visibility: { returns: returnVisibility, return_line_items: returnLineItemVisibility },
  workflows: { returns: returnWorkflow, return_line_items: returnLineWorkflow },
  commands: { returns: returnCommands, return_line_items: [restockLine] },
  reactions: returnReactions,
  topics: {
    returns: ['create', 'request', 'approve', 'ship', 'reject', 'receive', 'restock', 'destroy', 'tagged'],
  },
  virtualRelationships: {
    /** The last one that names it. */
    return_of_capture: ({ owner, target }, { params }) => [
      `${target}.id = (SELECT max(its_return.id) FROM returns AS its_return
        WHERE its_return.environment_id = ${params.environment} AND its_return.reference_capture_id = ${owner}.id)`,
    ],
    return_of_refund: ({ owner, target }) => [`${target}.reference_refund_id = ${owner}.id`],
  },
}
