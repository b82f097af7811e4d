import { boolean, cents, integer, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, currencyCode, name, url } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'

/** SKUs that are sold together for one price: those of a list by hand (docs/adr/0120). One that was ordered stays. */
export const bundles = defineResource('bundles', {
  summary: 'SKUs that are sold together for one price.',
  model: 'bundle',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    code: text({ write: 'always', required: true, max: 255, filter: true, sort: true }),
    name: name(),
    currency_code: currencyCode({ write: 'always', filter: true, sort: true }),
    description: text({ write: 'always', filter: true }),
    image_url: url({ filter: true, served: true }),
    do_not_ship: boolean({ filter: true }),
    do_not_track: boolean({ filter: true }),
    price_amount_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    compare_at_amount_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    // What the workflow does (bundle-workflow.ts).
    _compute_price_amount: trigger({ write: 'always', action: 'compute' }),
    _compute_compare_at_amount: trigger({ write: 'always', action: 'compute' }),
    skus_count: integer(),
    ...tagTriggers,
  },
  relationships: {
    market: toOne('markets', { write: 'create', include: true, filter: true, sort: true }),
    sku_list: toOne('sku_lists', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    skus: toMany('skus', {
      through: { table: 'bundle_skus', from: 'bundle_id', to: 'sku_id' },
      include: true,
    }),
    ...attachable,
    ...observed,
    ...tagged('bundle_id'),
    ...versioned,
  },
  actions: { ...tagAction, compute: () => ({}) },
})
