import { object } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import { promotionOfRule } from '../promotion-rules.ts'
import type { RuleKind } from './rule-kind.ts'

/** The order is among those that filters find (custom-filters.ts). */
export const custom: RuleKind = {
  definition: defineResource('custom_promotion_rules', {
    summary: 'A promotion is for orders that filters find.',
    model: 'promotionRule',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'promotion_rules',
    attributes: { filters: object({ write: 'always' }) },
    relationships: { promotion: promotionOfRule(), ...versioned },
  }),
  isMet: (_rule, { isCustomRuleMet }) => isCustomRuleMet,
}
