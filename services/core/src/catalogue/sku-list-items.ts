import { integer, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { versioned } from '../definitions/shared-relationships.ts'
import { skuByCode } from '../definitions/sku-by-code.ts'

const INTEGER_MAX = 2_147_483_647

/** A SKU of a list by hand, once per list. */
export const skuListItems = defineResource('sku_list_items', {
  summary: 'A SKU of a list by hand.',
  model: 'skuListItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    position: integer({ write: 'always', min: -INTEGER_MAX, max: INTEGER_MAX, filter: true, sort: true }),
    sku_code: text({ write: 'always', max: 255 }),
    quantity: integer({
      write: 'always',
      required: true,
      default: 1,
      min: 1,
      max: INTEGER_MAX,
      filter: true,
      sort: true,
    }),
  },
  relationships: {
    sku_list: toOne('sku_lists', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    sku: toOne('skus', { write: 'create', include: true, filter: true, sort: true }),
    ...versioned,
  },
  rules: [skuByCode],
})
