import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import type { ToOne } from '@merx/jsonapi/relationships'
import { versioned } from '../definitions/shared-relationships.ts'

export const RULE_TYPES = [
  'order_amount_promotion_rules',
  'sku_list_promotion_rules',
  'coupon_codes_promotion_rules',
  'custom_promotion_rules',
] as const

/** All rules of promotions, whatever they ask for. */
export const promotionRules = defineResource('promotion_rules', {
  summary: 'All rules of promotions, whatever they ask for.',
  model: 'promotionRule',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: RULE_TYPES },
  attributes: {},
  relationships: {
    promotion: toOne('promotions', { include: true, filter: true, endpoint: false }),
    ...versioned,
  },
})

/** The promotion of a rule; it has at most one rule of each type. */
export const promotionOfRule = (): ToOne =>
  toOne('promotions', { write: 'always', required: true, include: true, filter: true, endpoint: false })
