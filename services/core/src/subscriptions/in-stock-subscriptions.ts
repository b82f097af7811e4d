import { integer, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'
import { skuByCode } from '../definitions/sku-by-code.ts'
import { inStockStates } from './in-stock-states.ts'

const filtered = { include: true, filter: true, sort: true } as const

/** A customer who wants to hear when a SKU is in stock again in a market. */
export const inStockSubscriptions = defineResource('in_stock_subscriptions', {
  summary: 'A customer who wants to hear when a SKU is in stock again in a market.',
  model: 'inStockSubscription',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    status: oneOf(inStockStates.states, { filter: true, sort: true }),
    customer_email: email({ write: 'create' }),
    sku_code: text({ write: 'always', max: 255 }),
    stock_threshold: integer({
      write: 'always',
      default: 1,
      min: 1,
      max: 2_147_483_647,
      filter: true,
      sort: true,
    }),
    _activate: trigger({ isCommand: true }),
    _deactivate: trigger({ isCommand: true }),
  },
  relationships: {
    market: toOne('markets', { write: 'always', required: true, ...filtered }),
    customer: toOne('customers', { write: 'always', ...filtered }),
    sku: toOne('skus', { write: 'always', ...filtered }),
    ...observed,
    ...versioned,
  },
  rules: [skuByCode],
})
