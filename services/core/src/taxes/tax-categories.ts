import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { skuByCode } from '../definitions/sku-by-code.ts'

/** The code under which a tax calculator knows a SKU; one per pair. Manual calculators tax all SKUs alike. */
export const taxCategories = defineResource('tax_categories', {
  summary: 'The code under which a tax calculator knows a SKU.',
  model: 'taxCategory',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    code: text({ write: 'always', required: true, max: 255, filter: true, sort: true }),
    sku_code: text({ write: 'always', max: 255 }),
  },
  relationships: {
    sku: toOne('skus', { write: 'always', include: true, filter: true, sort: true }),
    tax_calculator: toOne('tax_calculators', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
      endpoint: false,
    }),
    ...attachable,
    ...versioned,
  },
  rules: [skuByCode],
})
