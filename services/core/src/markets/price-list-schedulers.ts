import { computed, instant, trigger } from '@merx/jsonapi/attributes'
import type { RenderContext, Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'
import { endsAfterItStarts, validityAt } from '../definitions/validity.ts'
import { rowOf } from '../engine/database/rows.ts'

const statusNow = (row: Row, { now = new Date() }: RenderContext) =>
  validityAt(rowOf('PriceListScheduler', row), now)

const linked = { write: 'always', required: true, include: true, filter: true, sort: true } as const

/** Another price list for a market, for a while: a sale, a season (docs/adr/0119-a-job-switches-the-price-list-of-a-market.md). */
export const priceListSchedulers = defineResource('price_list_schedulers', {
  summary: 'Another price list for a market, for a while.',
  model: 'priceListScheduler',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    starts_at: instant({ write: 'always', required: true, filter: true, sort: true }),
    expires_at: instant({ write: 'always', required: true, filter: true, sort: true }),
    active: computed((row, context) => statusNow(row, context) === 'active'),
    status: computed(statusNow),
    disabled_at: instant({ filter: true, sort: true }),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
  },
  relationships: {
    market: toOne('markets', linked),
    price_list: toOne('price_lists', linked),
    ...observed,
    ...versioned,
  },
  actions: { ...switchable },
  rules: [endsAfterItStarts],
})
