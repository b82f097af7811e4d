/** Accounts at services that decide discounts: stored, and not called, so that no order has an item of one. */
import { boolean, computed, object } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, credential, name } from '../definitions/shapes.ts'
import { attachable, attachableAsFamily, audited, versioned } from '../definitions/shared-relationships.ts'
import type { VirtualRelationship, Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

const used = {
  markets: toMany('markets', { inverse: 'discount_engine', include: true }),
  discount_engine_items: toMany('discount_engine_items', { inverse: 'discount_engine', include: true }),
}

/** At most one of an order. */
export const discountEngineItemOfOrder: VirtualRelationship = ({ owner, target }) => [
  `${target}.order_id = ${owner}.id`,
]

/** Seen with its order. */
export const discountEngineItemVisibility: Visibility = (alias, build) =>
  visibleThrough('orders', 'order_id', alias, build)

export const discountEngines: readonly ResourceDefinition[] = [
  defineResource('discount_engines', {
    summary: 'All discount engines, whatever their kind.',
    model: 'discountEngine',
    operations: ['list', 'retrieve'],
    scope: 'environment',
    abstract: { typeColumn: 'type', members: ['talon_one_accounts'] },
    attributes: { name: name({ write: 'never', required: false }), manage_gift_cards: boolean() },
    relationships: { ...used, ...attachable, ...versioned },
  }),
  defineResource('talon_one_accounts', {
    summary: 'The account of the shop at Talon.One, which Merx stores and does not call.',
    model: 'discountEngine',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'discount_engines',
    attributes: {
      name: name(),
      manage_gift_cards: boolean({ write: 'always', default: true }),
      api_key: credential(),
      baseurl: credential(),
      // What only a reply of the vendor would say.
      api_endpoint: computed(() => null),
    },
    relationships: { ...used, ...attachableAsFamily, ...versioned },
    onDelete: refuseWhileReferencedBy('markets', 'discount_engine_items'),
  }),
  defineResource('discount_engine_items', {
    summary: 'What a discount engine says of an order; none is asked, so there is none.',
    model: 'discountEngineItem',
    operations: ['list', 'retrieve'],
    scope: 'environment',
    attributes: { body: object({ filter: true }) },
    relationships: {
      discount_engine: toOne('discount_engines', { include: true, filter: true, sort: true }),
      order: toOne('orders', { include: true, filter: true, sort: true }),
      ...audited,
    },
  }),
]
