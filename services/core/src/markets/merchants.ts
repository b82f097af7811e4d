import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

/** Who sells: the party named on invoices. */
export const merchants = defineResource('merchants', {
  summary: 'Who sells.',
  model: 'merchant',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
  },
  relationships: {
    address: toOne('addresses', { write: 'always', required: true, include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
})
