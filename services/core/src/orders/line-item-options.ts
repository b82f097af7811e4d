import { cents, integer, object, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, currencyCode } from '../definitions/shapes.ts'
import { audited, observed, tagAction, tagged, tagTriggers } from '../definitions/shared-relationships.ts'
import { lineOfOption } from './option-line.ts'
import { amountsOfOption, skuOptionOfLine } from './option-of-sku.ts'

/** What was added to a line item: a SKU option, with the choices that were made. Every write recalculates the order. */
export const lineItemOptions = defineResource('line_item_options', {
  summary: 'What was added to a line item, with the choices that were made.',
  model: 'lineItemOption',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: text({ write: 'always', max: 255, filter: true, sort: true }),
    quantity: integer({
      write: 'always',
      required: true,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    currency_code: currencyCode({ filter: true, sort: true }),
    unit_amount_cents: cents({ write: 'always', min: 0, prohibited: true, filter: true, sort: true }),
    total_amount_cents: cents(),
    delay_hours: integer({ filter: true, sort: true }),
    // PostgreSQL rounds it.
    delay_days: integer({ filter: true }),
    options: object({ write: 'always', required: true }),
    ...tagTriggers,
  },
  relationships: {
    line_item: toOne('line_items', {
      write: 'create',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    sku_option: toOne('sku_options', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    ...observed,
    ...tagged('line_item_option_id'),
    ...audited,
  },
  actions: tagAction,
  rules: [lineOfOption, skuOptionOfLine, amountsOfOption],
})
