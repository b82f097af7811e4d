/** What a market requires of its orders before they are placed. There is one kind: that their billing address has billing_info. */
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { attachable, attachableAsFamily, versioned } from '../definitions/shared-relationships.ts'

const found = { include: true, filter: true, sort: true, endpoint: false } as const

export const validationRules = [
  defineResource('order_validation_rules', {
    summary: 'All rules of markets that orders have to meet, whatever their kind.',
    model: 'orderValidationRule',
    operations: ['list', 'retrieve'],
    scope: 'environment',
    abstract: { typeColumn: 'type', members: ['billing_info_validation_rules'] },
    attributes: {},
    relationships: { market: toOne('markets', found), ...attachable, ...versioned },
  }),
  defineResource('billing_info_validation_rules', {
    summary: 'The orders of a market need billing_info in their billing address to be placed.',
    model: 'orderValidationRule',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'order_validation_rules',
    attributes: {},
    relationships: {
      market: toOne('markets', { write: 'always', required: true, ...found }),
      ...attachableAsFamily,
      ...versioned,
    },
  }),
] as const
