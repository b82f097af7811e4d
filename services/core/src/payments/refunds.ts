import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { kindAttributes, kindRelationships, kindWrites } from './transactions.ts'

/** An amount of a capture that was paid back. */
export const refunds = defineResource('refunds', {
  summary: 'An amount of a capture that was paid back.',
  model: 'transaction',
  operations: ['list', 'retrieve', 'update'],
  scope: 'environment',
  memberOf: 'transactions',
  attributes: kindAttributes,
  relationships: {
    ...kindRelationships,
    reference_capture: toOne('captures', { include: true, filter: true }),
    return: toOne('returns', { virtual: 'return_of_refund', include: true, filter: true }),
  },
  ...kindWrites,
})
