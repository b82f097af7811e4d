import { computed, instant, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import type { RenderContext, Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne } from '@merx/jsonapi/relationships'
import { switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { audited, observed } from '../definitions/shared-relationships.ts'
import { endsAfterItStarts, validityAt } from '../definitions/validity.ts'
import { rowOf } from '../engine/database/rows.ts'
import { datesOfLink } from './dates-of-link.ts'

const ITEM_TYPES = ['orders', 'skus', 'sku_lists'] as const

/** A host name with a dot, and maybe a port. */
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d{1,5})?$/i

const statusNow = (row: Row, { now = new Date() }: RenderContext) => validityAt(rowOf('Link', row), now)

const urlOf = (row: Row, _context: RenderContext, id: string): string | null => {
  const { domain } = rowOf('Link', row)
  return domain === null ? null : `https://${domain}/${id}`
}

/** What a page of the shop needs to sell one thing to whoever opens it (docs/adr/0115-links-lead-to-pages-of-the-shop.md). */
export const links = defineResource('links', {
  summary: 'An address to share that leads to an order, a SKU or a list, for a while.',
  model: 'link',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    client_id: text({ write: 'always', required: true, max: 255, filter: true }),
    scope: text({ write: 'always', required: true, max: 2000, filter: true }),
    starts_at: instant({ write: 'always', filter: true, sort: true }),
    expires_at: instant({ write: 'always', filter: true, sort: true }),
    active: computed((row, context) => statusNow(row, context) === 'active'),
    status: computed(statusNow),
    domain: text({ write: 'always', max: 253, pattern: DOMAIN }),
    url: computed(urlOf),
    item_type: oneOf(ITEM_TYPES, { write: 'create', filter: true, sort: true }),
    params: object({ write: 'always', default: {}, filter: true }),
    disabled_at: instant({ filter: true, sort: true }),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
  },
  relationships: {
    item: polymorphicToOne(ITEM_TYPES, { write: 'always', required: true, include: true }),
    ...observed,
    ...audited,
  },
  actions: { ...switchable },
  rules: [datesOfLink, endsAfterItStarts],
})
