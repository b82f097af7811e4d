import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachableAsFamily, observed, versioned } from '../definitions/shared-relationships.ts'

/** A tax calculator without an outside service: rates by address. Deleting one deletes its rules. */
export const manualTaxCalculators = defineResource('manual_tax_calculators', {
  summary: 'A tax calculator without an outside service.',
  model: 'taxCalculator',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'tax_calculators',
  attributes: {
    name: name(),
  },
  relationships: {
    markets: toMany('markets', { inverse: 'tax_calculator', include: true }),
    ...attachableAsFamily,
    ...observed,
    ...versioned,
    tax_rules: toMany('tax_rules', { inverse: 'manual_tax_calculator', include: true, filter: true }),
  },
  onDelete: refuseWhileReferencedBy('markets'),
})
