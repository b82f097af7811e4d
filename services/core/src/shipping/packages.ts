import { float, oneOf } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

const measure = () =>
  float({ write: 'always', required: true, min: 0.001, max: 100_000, filter: true, sort: true })

/** A box that parcels are packed in. */
export const packages = defineResource('packages', {
  summary: 'A box that parcels are packed in.',
  model: 'package',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    code: code(),
    length: measure(),
    width: measure(),
    height: measure(),
    unit_of_length: oneOf(['cm', 'in'], { write: 'always', required: true, filter: true, sort: true }),
  },
  relationships: {
    stock_location: toOne('stock_locations', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    parcels: toMany('parcels', { inverse: 'package', include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
  onDelete: refuseWhileReferencedBy('parcels'),
})
