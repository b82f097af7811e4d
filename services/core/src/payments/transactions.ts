/** What all money movements of orders show. */
import { boolean, cents, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toOne } from '@merx/jsonapi/relationships'
import { attachable, attachableAsFamily, observed, versioned } from '../definitions/shared-relationships.ts'
import { PAYMENT_SOURCE_TYPES } from './payment-methods.ts'
import { keepSuccess, oneMovement } from './transaction-rules.ts'

const found = { filter: true } as const

export const transactionAttributes = {
  number: text({ filter: true, sort: true }),
  payment_method_type: text(),
  currency_code: text(found),
  amount_cents: cents({ filter: true, sort: true }),
  succeeded: boolean(found),
  message: text(found),
  error_code: text(found),
  error_detail: text(found),
  token: text(found),
  gateway_transaction_id: text(found),
} as const

/** Of the kinds: who knows how a movement ended says so. */
export const kindAttributes = {
  ...transactionAttributes,
  succeeded: boolean({ write: 'update', filter: true }),
  _forward: trigger(),
} as const

/** `filter[q][succeeded]=true`, as the vendor's clients send it. */
export const namedFilters = { succeeded: 'succeeded_true' } as const

export const kindWrites = {
  namedFilters,
  actions: { forward: () => ({ succeeded: true }) },
  rules: [keepSuccess, oneMovement],
} as const

export const transactionRelationships = {
  order: toOne('orders', { include: true, filter: true, sort: true }),
  payment_source: polymorphicToOne(PAYMENT_SOURCE_TYPES, { include: true, filter: true, endpoint: false }),
} as const

/** Of the kinds: a file is attached to what all transactions are. */
export const kindRelationships = {
  ...transactionRelationships,
  ...attachableAsFamily,
  ...observed,
  ...versioned,
} as const

/** All money movements of orders, whatever their kind. */
export const transactions = defineResource('transactions', {
  summary: 'All money movements of orders, whatever their kind.',
  model: 'transaction',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: ['authorizations', 'captures', 'voids', 'refunds'] },
  attributes: transactionAttributes,
  relationships: { ...transactionRelationships, ...attachable, ...observed, ...versioned },
  namedFilters,
})
