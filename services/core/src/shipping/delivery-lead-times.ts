import { integer } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import type { Rule } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'

const HOURS_MAX = 87_600

const hours = () =>
  integer({ write: 'always', required: true, min: 0, max: HOURS_MAX, filter: true, sort: true })

const inOrder: Rule = ({ after: { min_hours: min, max_hours: max } }) => {
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return {}
  const message = `must be greater than or equal to min_hours, which is ${min}`
  return {
    violations: [{ at: { attribute: 'max_hours' }, error: 'greater_than_or_equal_to', message, value: max }],
  }
}

/** How long a shipping method takes from a stock location. PostgreSQL computes the days. */
export const deliveryLeadTimes = defineResource('delivery_lead_times', {
  summary: 'How long a shipping method takes from a stock location.',
  model: 'deliveryLeadTime',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    min_hours: hours(),
    max_hours: hours(),
    min_days: integer({ filter: true, sort: true }),
    max_days: integer({ filter: true }),
  },
  relationships: {
    stock_location: toOne('stock_locations', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    shipping_method: toOne('shipping_methods', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    ...attachable,
    ...versioned,
  },
  rules: [inOrder],
})
