/** What a type of promotions is: its definition, and what it takes off an order (types/). */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RowOf } from '../engine/database/rows.ts'
import type { LineAction } from './discount-lines.ts'
import type { Allocation, DiscountedOrder } from './discounted-order.ts'
import type { RULE_TYPES } from './promotion-rules.ts'
import type { PromotionType } from './promotion-types.ts'

export type RuleType = (typeof RULE_TYPES)[number]

/** What an external promotion was answered (types/external.ts). */
export interface ExternalDiscount {
  readonly name: string | null
  /** Zero or more. */
  readonly cents: number
  /** Numbers of the lines that it is for, each with its own part where the answer says so; undefined: all goods. */
  readonly lines: ReadonlyMap<number, number | null> | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
}

/** What the rules of a flex promotion were asked (rules-engine/). */
export interface FlexOutcome {
  /** Of the rules that the order meets. */
  readonly actions: readonly LineAction[]
  /** Which rules and conditions were met, as the line of the promotion keeps it. */
  readonly outcomes: Readonly<Record<string, unknown>>
}

/** A promotion in force that may be for the order, with all that decides whether it is. */
export interface Candidate {
  readonly promotion: RowOf<'Promotion'> & { readonly type: PromotionType }
  readonly rules: Readonly<Partial<Record<RuleType, RowOf<'PromotionRule'>>>>
  /** The coupon of the order that is for this promotion and valid. */
  readonly coupon: Pick<RowOf<'Coupon'>, 'id' | 'code'> | undefined
  /** What its custom rule says; true without one. */
  readonly isCustomRuleMet: boolean
  /** Of an external promotion; undefined when there is no answer. */
  readonly external?: ExternalDiscount | undefined
  /** Of a flex promotion: what its rules say of this order. */
  readonly flex?: FlexOutcome | undefined
}

export interface PromotionKind {
  readonly definition: ResourceDefinition
  /** It decides what units cost, so that it takes only lines that no other such promotion has taken. */
  readonly pricesUnits: boolean
  /** One entry for each line that it is for, also where that gets nothing. */
  readonly discount: (candidate: Candidate, order: DiscountedOrder) => readonly Allocation[]
}
