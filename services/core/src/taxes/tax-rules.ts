import { boolean, float, object } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { addressPatterns, validAddressPatterns } from '../definitions/address-patterns.ts'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

/** Whether something besides goods is taxed. */
const taxable = () => boolean({ write: 'always', default: false, filter: true })

/** The tax rate of the addresses that match, and what besides goods is taxed. */
export const taxRules = defineResource('tax_rules', {
  summary: 'A tax rate, and the addresses it is for.',
  model: 'taxRule',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    // A part of the price: 0.22 is 22 %.
    tax_rate: float({ write: 'always', default: 0, min: 0, max: 1, filter: true, sort: true }),
    freight_taxable: taxable(),
    payment_method_taxable: taxable(),
    gift_card_taxable: taxable(),
    adjustment_taxable: taxable(),
    breakdown: object(),
    ...addressPatterns,
  },
  relationships: {
    manual_tax_calculator: toOne('manual_tax_calculators', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    ...versioned,
  },
  rules: [validAddressPatterns],
})
