import { object } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'

/** Paid outside of the shop, such as by a transfer or at the counter. */
export const wireTransfers = defineResource('wire_transfers', {
  summary: 'A payment source of what is paid outside, such as by a transfer.',
  model: 'wireTransfer',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: { payment_instrument: object() },
  relationships: {
    order: toOne('orders', { write: 'always', required: true, include: true, filter: true, sort: true }),
    ...versioned,
  },
})
