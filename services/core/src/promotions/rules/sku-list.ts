import { boolean, integer } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import { goodsOf } from '../discounted-order.ts'
import { promotionOfRule } from '../promotion-rules.ts'
import type { RuleKind } from './rule-kind.ts'

const QUANTITY_MAX = 2_147_483_647

/** The order has articles of a list: any, all of them, or so many units. Without a list, of the promotion's, or any article. */
export const skuList: RuleKind = {
  definition: defineResource('sku_list_promotion_rules', {
    summary: 'A promotion is for orders with articles of a list.',
    model: 'promotionRule',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'promotion_rules',
    attributes: {
      all_skus: boolean({ write: 'always', default: false }),
      min_quantity: integer({ write: 'always', min: 1, max: QUANTITY_MAX }),
    },
    relationships: {
      promotion: promotionOfRule(),
      sku_list: toOne('sku_lists', { write: 'always', include: true, filter: true, sort: true }),
      skus: toMany('skus', { virtual: 'skus_of_its_list', include: true }),
      ...versioned,
    },
  }),
  isMet: (rule, { promotion }, order) => {
    const list = rule.sku_list_id ?? promotion.sku_list_id
    const lines = goodsOf(order, list)
    if (rule.min_quantity !== null)
      return lines.reduce((sum, { quantity }) => sum + quantity, 0) >= rule.min_quantity
    if (lines.length === 0) return false
    // A bundle has all SKUs of its list.
    const hasBundle = lines.some(({ itemType }) => itemType === 'bundles')
    return !rule.all_skus || list === null || hasBundle || order.lists.get(list)?.isComplete === true
  },
}
