import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

/** Goods that travel together. */
export const shippingCategories = defineResource('shipping_categories', {
  summary: 'Goods that travel together.',
  model: 'shippingCategory',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    code: code(),
  },
  relationships: {
    skus: toMany('skus', { inverse: 'shipping_category', include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
  onDelete: refuseWhileReferencedBy('skus'),
})
