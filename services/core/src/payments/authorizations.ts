import { cents, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { kindAttributes, kindRelationships, kindWrites } from './transactions.ts'

/** An amount that is promised to the shop; it is captured or voided. */
export const authorizations = defineResource('authorizations', {
  summary: 'An amount that is promised, to be captured or voided.',
  model: 'transaction',
  operations: ['list', 'retrieve', 'update'],
  scope: 'environment',
  memberOf: 'transactions',
  attributes: {
    ...kindAttributes,
    cvv_code: text(),
    cvv_message: text(),
    avs_code: text(),
    avs_message: text(),
    fraud_review: text(),
    capture_amount_cents: cents(),
    capture_balance_cents: cents(),
    void_balance_cents: cents(),
    _capture: trigger({ isCommand: true }),
    _capture_amount_cents: trigger({ carries: 'integer', argumentOf: '_capture' }),
    _void: trigger({ isCommand: true }),
    _cancel: trigger({ isCommand: true }),
  },
  relationships: {
    ...kindRelationships,
    captures: toMany('captures', { inverse: 'reference_authorization', include: true }),
    voids: toMany('voids', { inverse: 'reference_authorization', include: true }),
  },
  ...kindWrites,
})
