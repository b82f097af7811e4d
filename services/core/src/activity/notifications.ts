import { boolean, object } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { audited } from '../definitions/shared-relationships.ts'

/** What a service says about an order, a line of it or a shipping method to whoever reads that; a flash one for an hour. */
export const notifications = defineResource('notifications', {
  summary: 'A message about an order, a line item or a shipping method.',
  model: 'notification',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    flash: boolean({ write: 'always', default: false, filter: true, sort: true }),
    body: object({ write: 'always', default: {} }),
  },
  relationships: {
    notifiable: polymorphicToOne(['line_items', 'orders', 'shipping_methods'], {
      write: 'always',
      required: true,
      include: true,
    }),
    ...audited,
  },
})
