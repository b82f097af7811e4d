import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { kindAttributes, kindRelationships, kindWrites } from './transactions.ts'

/** An amount of an authorization that was given up. */
export const voids = defineResource('voids', {
  summary: 'An amount of an authorization that was given up.',
  model: 'transaction',
  operations: ['list', 'retrieve', 'update'],
  scope: 'environment',
  memberOf: 'transactions',
  attributes: kindAttributes,
  relationships: {
    ...kindRelationships,
    reference_authorization: toOne('authorizations', { include: true, filter: true }),
  },
  ...kindWrites,
})
