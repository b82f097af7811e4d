import { cents, instant, integer, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'
import { rowOf } from '../engine/database/rows.ts'
import { oneStep } from './one-step.ts'
import { returnStates } from './return-states.ts'

const dated = () => instant({ filter: true, sort: true })
const filtered = { include: true, filter: true } as const
const sorted = { ...filtered, sort: true } as const

/** Goods of an order that come back: from the wish of the customer to their money. */
export const returns = defineResource('returns', {
  summary: 'Goods of an order that come back.',
  model: 'return',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: text({ filter: true, sort: true }),
    status: oneOf(returnStates.states, { filter: true, sort: true }),
    customer_email: text(),
    skus_count: integer({ filter: true }),
    approved_at: dated(),
    cancelled_at: dated(),
    shipped_at: dated(),
    rejected_at: dated(),
    received_at: dated(),
    refunded_at: dated(),
    archived_at: dated(),
    estimated_refund_amount_cents: cents(),
    _request: trigger({ isCommand: true }),
    _approve: trigger({ isCommand: true }),
    _cancel: trigger({ isCommand: true }),
    _ship: trigger({ isCommand: true }),
    _reject: trigger({ isCommand: true }),
    _receive: trigger({ isCommand: true }),
    _restock: trigger({ isCommand: true }),
    _archive: trigger(),
    _unarchive: trigger(),
    _refund: trigger({ isCommand: true }),
    _refund_amount_cents: trigger({ carries: 'integer', argumentOf: '_refund' }),
    ...tagTriggers,
  },
  relationships: {
    order: toOne('orders', { write: 'create', required: true, ...sorted }),
    customer: toOne('customers', sorted),
    stock_location: toOne('stock_locations', { write: 'always', ...sorted }),
    origin_address: toOne('addresses', filtered),
    destination_address: toOne('addresses', filtered),
    reference_capture: toOne('captures', { write: 'always', ...sorted }),
    reference_refund: toOne('refunds', sorted),
    return_line_items: toMany('return_line_items', { inverse: 'return', ...filtered }),
    resource_errors: toMany('resource_errors', { inverse: 'resource', ...filtered }),
    ...attachable,
    ...observed,
    ...tagged('return_id'),
    ...versioned,
  },
  actions: {
    ...tagAction,
    archive: (row, { now }) => ({ archived_at: row['archived_at'] ?? now }),
    unarchive: () => ({ archived_at: null }),
  },
  rules: [oneStep],
  onDelete: refuseWhile((row) => {
    const { status } = rowOf('Return', row)
    return status === 'draft'
      ? undefined
      : `A return can be deleted while it is draft; this one is ${status}.`
  }),
})
