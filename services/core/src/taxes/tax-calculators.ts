import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { name } from '../definitions/shapes.ts'
import { attachable, observed, versioned } from '../definitions/shared-relationships.ts'
import { TAX_VENDOR_TYPES } from './vendor-accounts.ts'

/** All tax calculators, whatever their kind. */
export const taxCalculators = defineResource('tax_calculators', {
  summary: 'All tax calculators, whatever their kind.',
  model: 'taxCalculator',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: {
    typeColumn: 'type',
    members: ['manual_tax_calculators', 'external_tax_calculators', ...TAX_VENDOR_TYPES],
  },
  attributes: {
    name: name({ write: 'never', required: false }),
  },
  relationships: {
    markets: toMany('markets', { inverse: 'tax_calculator', include: true }),
    ...attachable,
    ...observed,
    ...versioned,
  },
})
