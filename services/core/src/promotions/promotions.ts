import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { attachable, observed, tagged, versioned } from '../definitions/shared-relationships.ts'
import { ownedByPromotion, readOnlyAttributes } from './define-promotion.ts'
import { PROMOTION_TYPES } from './promotion-types.ts'

/** All promotions, whatever their type. */
export const promotions = defineResource('promotions', {
  summary: 'All promotions, whatever their type.',
  model: 'promotion',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: PROMOTION_TYPES },
  attributes: readOnlyAttributes,
  relationships: {
    market: toOne('markets', { include: true, filter: true, sort: true }),
    sku_list: toOne('sku_lists', { include: true, filter: true, sort: true }),
    ...ownedByPromotion,
    ...attachable,
    ...observed,
    tags: { ...tagged('promotion_id').tags, write: 'never' },
    ...versioned,
  },
})
