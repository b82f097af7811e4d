/** Which rate budget a request draws on (core-conventions.md 10). */
import { callerOf } from '@merx/access-token/authenticate'
import type { LimitRequestsOptions } from '@merx/rate-limit/limit-requests'

type BudgetOf = LimitRequestsOptions['budget']

/** Reads of these may be served from a cache, so more of them are allowed. */
const CACHEABLE = new Set([
  'bundles',
  'imports',
  'markets',
  'prices',
  'price_lists',
  'promotions',
  'buy_x_pay_y_promotions',
  'external_promotions',
  'fixed_amount_promotions',
  'fixed_price_promotions',
  'free_gift_promotions',
  'free_shipping_promotions',
  'percentage_discount_promotions',
  'skus',
  'sku_options',
  'stock_items',
  'stock_locations',
])

const READS = ['GET', 'HEAD', 'OPTIONS']

/** One endpoint is one resource path such as `/api/addresses`; paths of no resource share one. */
export const budgetOf =
  (isKnown: (path: string) => boolean): BudgetOf =>
  (req, res) => {
    const path = /^\/api\/([^/?]+)/.exec(req.originalUrl)?.[1] ?? ''
    const endpoint = isKnown(path) ? `/api/${path}` : '/api'
    const { mode } = callerOf(res)
    if (!READS.includes(req.method)) return { class: 'write', mode, endpoint }
    return { class: CACHEABLE.has(path) ? 'read_cacheable' : 'read_uncacheable', mode, endpoint }
  }
