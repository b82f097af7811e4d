import { boolean, computed, float, integer, loaded, oneOf, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name, UNITS_OF_WEIGHT, url } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagTriggers,
  tagged,
  tokenBound,
  versioned,
} from '../definitions/shared-relationships.ts'

/** A sellable article. Deleting one deletes its prices and stock items; one that was ordered stays. */
export const skus = defineResource('skus', {
  summary: 'A sellable article.',
  model: 'sku',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    code: text({ write: 'always', required: true, max: 255, unique: true, filter: true, sort: true }),
    name: name(),
    description: text({ write: 'always', filter: true }),
    image_url: url({ filter: true, served: true }),
    pieces_per_pack: integer({ write: 'always', min: 1, max: 2_147_483_647 }),
    weight: float({ write: 'always', min: 0 }),
    unit_of_weight: oneOf(UNITS_OF_WEIGHT, { write: 'always' }),
    hs_tariff_number: text({ write: 'always', max: 255 }),
    do_not_ship: boolean({ write: 'always', default: false, filter: true, sort: true }),
    do_not_track: boolean({ write: 'always', default: false, filter: true, sort: true }),
    inventory: loaded('sku_inventory'),
    jwt_custom_claim: computed((_row, { customClaim }) => customClaim ?? null),
    ...tagTriggers,
  },
  relationships: {
    shipping_category: toOne('shipping_categories', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    prices: toMany('prices', { inverse: 'sku', include: true, filter: true }),
    stock_items: toMany('stock_items', { inverse: 'sku', include: true, filter: true }),
    stock_reservations: toMany('stock_reservations', { inverse: 'sku', include: true, filter: true }),
    delivery_lead_times: toMany('delivery_lead_times', {
      virtual: 'lead_times_of_sku',
      include: true,
      filter: true,
    }),
    sku_options: toMany('sku_options', { virtual: 'options_of_sku', include: true }),
    sku_list_items: toMany('sku_list_items', { inverse: 'sku', include: true, filter: true }),
    sku_lists: toMany('sku_lists', { virtual: 'lists_of_sku', include: true, filter: true }),
    links: toMany('links', { inverse: 'item', include: true, filter: true }),
    ...attachable,
    ...observed,
    ...tagged('sku_id'),
    ...tokenBound,
    ...versioned,
  },
  actions: tagAction,
})
