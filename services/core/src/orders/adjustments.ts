import { boolean, cents } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS, currencyCode, name } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

/** An amount that line items add to orders or take from them. One that a line item is of stays. */
export const adjustments = defineResource('adjustments', {
  summary: 'An amount that line items add to orders or take from them.',
  model: 'adjustment',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    currency_code: currencyCode({ write: 'always', required: true, filter: true, sort: true }),
    amount_cents: cents({ write: 'always', required: true, filter: true, sort: true }),
    distribute_discount: boolean({ write: 'always', default: true }),
  },
  relationships: versioned,
})
