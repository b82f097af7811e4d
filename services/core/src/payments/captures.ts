import { cents, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { kindAttributes, kindRelationships, kindWrites } from './transactions.ts'

/** An amount that was received of an authorization; it can be refunded. */
export const captures = defineResource('captures', {
  summary: 'An amount that was received of an authorization.',
  model: 'transaction',
  operations: ['list', 'retrieve', 'update'],
  scope: 'environment',
  memberOf: 'transactions',
  attributes: {
    ...kindAttributes,
    refund_amount_cents: cents(),
    refund_balance_cents: cents(),
    _refund: trigger({ isCommand: true }),
    _refund_amount_cents: trigger({ carries: 'integer', argumentOf: '_refund' }),
    _cancel: trigger({ isCommand: true }),
  },
  relationships: {
    ...kindRelationships,
    reference_authorization: toOne('authorizations', { include: true }),
    refunds: toMany('refunds', { inverse: 'reference_capture', include: true }),
    return: toOne('returns', { virtual: 'return_of_capture', include: true, filter: true }),
  },
  ...kindWrites,
})
