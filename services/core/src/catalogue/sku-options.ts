import { cents, integer, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { patternsIn, SKU_CODE_PATTERN_MAX } from '../definitions/patterns.ts'
import { ALL_OPERATIONS, currencyCode, name } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'
import { currencyOfMarket } from '../markets/currency-of-market.ts'

/** What can be added to a SKU for a price, such as an engraving. One that was ordered stays. */
export const skuOptions = defineResource('sku_options', {
  summary: 'What can be added to a SKU for a price.',
  model: 'skuOption',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    currency_code: currencyCode({ write: 'always', filter: true, sort: true }),
    description: text({ write: 'always', filter: true }),
    price_amount_cents: cents({ write: 'always', default: 0, min: 0, filter: true, sort: true }),
    delay_hours: integer({
      write: 'always',
      default: 0,
      min: 0,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    // PostgreSQL rounds it.
    delay_days: integer({ filter: true, sort: true }),
    sku_code_regex: text({ write: 'always', max: SKU_CODE_PATTERN_MAX }),
    ...tagTriggers,
  },
  relationships: {
    market: toOne('markets', { write: 'always', include: true, filter: true, sort: true }),
    ...attachable,
    ...observed,
    ...tagged('sku_option_id'),
    ...versioned,
  },
  actions: tagAction,
  rules: [currencyOfMarket, patternsIn('sku_code_regex')],
})
