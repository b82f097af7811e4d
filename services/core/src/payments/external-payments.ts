import { object, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import type { VirtualRelationship } from '../engine/area.ts'
import { noCardNumbers } from './wallet/no-card-numbers.ts'

/** `wallet` of a payment source: the oldest entry that has it. */
export const walletOfSource: VirtualRelationship = ({ owner, target }, { params }, { type }) => [
  `${target}.id = (SELECT min(entry.id) FROM customer_payment_sources AS entry
    WHERE entry.environment_id = ${params.environment} AND entry.payment_source_id = ${owner}.id
      AND entry.payment_source_type = '${type}')`,
]

/** What the gateway of the shop's own gave a token for. */
export const externalPayments = defineResource('external_payments', {
  summary: "A payment source of a gateway of the shop's own.",
  model: 'externalPayment',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    payment_source_token: text({ write: 'create', required: true, filter: true }),
    options: object({ write: 'always' }),
    payment_instrument: object(),
  },
  relationships: {
    order: toOne('orders', { write: 'always', required: true, include: true, filter: true, sort: true }),
    payment_gateway: toOne('payment_gateways', { include: true }),
    wallet: toOne('customer_payment_sources', { virtual: 'wallet_of_source', include: true }),
    ...versioned,
  },
  rules: [noCardNumbers],
})
