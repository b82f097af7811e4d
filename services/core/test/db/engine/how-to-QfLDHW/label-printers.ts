import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, code, name } from '../../../../src/definitions/shapes.ts'
import { attachable, versioned } from '../../../../src/definitions/shared-relationships.ts'

/** A printer of shipping labels at a stock location. */
export const labelPrinters = defineResource('label_printers', {
  summary: 'A printer of shipping labels at a stock location.',
  model: 'labelPrinter',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    code: code(),
  },
  relationships: {
    stock_location: toOne('stock_locations', { write: 'always', required: true, include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
})
