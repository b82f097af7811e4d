import { boolean, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { patternsIn, SKU_CODE_PATTERN_MAX } from '../definitions/patterns.ts'
import { ALL_OPERATIONS, name, url } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { patternOfList, slugOfName } from './sku-list-rules.ts'

/** SKUs that are listed by hand, with items, or by a pattern of their codes: of the shop, or of a customer. */
export const skuLists = defineResource('sku_lists', {
  summary: 'SKUs that are listed by hand or by a pattern of their codes.',
  model: 'skuList',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    slug: text({ filter: true, sort: true }),
    description: text({ write: 'always', filter: true }),
    image_url: url({ filter: true }),
    manual: boolean({ write: 'always', default: true, filter: true, sort: true }),
    sku_code_regex: text({ write: 'always', max: SKU_CODE_PATTERN_MAX }),
  },
  relationships: {
    customer: toOne('customers', { write: 'always', include: true, filter: true, sort: true }),
    skus: toMany('skus', { virtual: 'skus_of_list', include: true }),
    sku_list_items: toMany('sku_list_items', { inverse: 'sku_list', include: true, filter: true }),
    bundles: toMany('bundles', { inverse: 'sku_list', include: true }),
    links: toMany('links', { inverse: 'item', include: true, filter: true }),
    ...attachable,
    ...versioned,
  },
  namedFilters: {
    sku_code_eq: 'skus.code_eq',
    sku_code_matches: 'skus.code_matches',
    sku_code_start: 'skus.code_start',
    sku_code_end: 'skus.code_end',
    sku_code_in: 'skus.code_in',
  },
  rules: [slugOfName, patternsIn('sku_code_regex'), patternOfList],
})
