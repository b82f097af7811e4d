import { cents, instant, integer, object, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { audited } from '../definitions/shared-relationships.ts'

const named = { write: 'create', required: true, include: true, filter: true, sort: true } as const

/** How much of a line item comes back with a return. */
export const returnLineItems = defineResource('return_line_items', {
  summary: 'How much of a line item comes back with a return.',
  model: 'returnLineItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    sku_code: text(),
    bundle_code: text(),
    quantity: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    name: text(),
    image_url: text({ served: true }),
    total_amount_cents: cents({ filter: true, sort: true }),
    _restock: trigger({ isCommand: true }),
    return_reason: object({ write: 'always', filter: true }),
    restocked_at: instant({ filter: true, sort: true }),
  },
  relationships: {
    return: toOne('returns', named),
    line_item: toOne('line_items', named),
    ...audited,
  },
})
