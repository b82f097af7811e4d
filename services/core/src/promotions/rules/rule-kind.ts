/** What a type of rules is: its definition, and whether an order meets it. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RowOf } from '../../engine/database/rows.ts'
import type { DiscountedOrder } from '../discounted-order.ts'
import type { Candidate } from '../promotion-kind.ts'

export interface RuleKind {
  readonly definition: ResourceDefinition
  /** `order` has the promotions that were applied before. */
  readonly isMet: (rule: RowOf<'PromotionRule'>, candidate: Candidate, order: DiscountedOrder) => boolean
}
