import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

/** Customers who may buy in private markets. */
export const customerGroups = defineResource('customer_groups', {
  summary: 'Customers who may buy in private markets.',
  model: 'customerGroup',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    code: code(),
  },
  relationships: {
    customers: toMany('customers', { inverse: 'customer_group', include: true }),
    markets: toMany('markets', { inverse: 'customer_group', include: true }),
    ...attachable,
    ...versioned,
  },
  onDelete: refuseWhileReferencedBy('customers', 'markets'),
})
