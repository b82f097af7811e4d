/**
 * Rules as types: the JSON documents that the vendor publishes for orders and for prices (commerce.md 1.3). rules-schema.ts checks
 * what is sent as one; what they mean is in conditions.ts and select-lines.ts.
 */

/** What has such rules. */
export const RULED_TYPE = 'flex_promotions'

export const RANGE_MATCHERS = ['gt_lt', 'gteq_lt', 'gt_lteq', 'gteq_lteq'] as const
export const NUMBER_MATCHERS = ['multiple', 'eq', 'not_eq', 'lt', 'lteq', 'gt', 'gteq'] as const
export const VALUE_MATCHERS = [
  ...['start_with', 'not_start_with', 'end_with', 'not_end_with', 'matches', 'does_not_match'],
  ...NUMBER_MATCHERS,
  ...RANGE_MATCHERS,
  ...['is_in', 'is_not_in', 'array_match'],
]
export const BARE_MATCHERS = ['blank', 'present', 'null', 'not_null']
export const OPERATORS = ['sum', 'min', 'max', 'count', 'count_uniq'] as const
export const ACTION_TYPES = [
  'percentage',
  'fixed_amount',
  'fixed_price',
  'buy_x_pay_y',
  'every_x_discount_y',
  'free_gift',
] as const

export interface Aggregation {
  readonly field: string
  readonly operator: (typeof OPERATORS)[number]
  readonly matcher: string
  readonly value: number
}

export interface ConditionSet {
  readonly conditions_logic?: 'and' | 'or'
  readonly conditions: readonly Condition[]
}

export interface Condition {
  /** Dot path from what the rules are of: `order.line_items.sku.code`, `price.sku.code`. */
  readonly field: string
  readonly matcher: string
  readonly value?: unknown
  readonly scope?: 'any' | 'all'
  readonly group?: string
  readonly aggregations?: readonly Aggregation[]
  readonly nested?: ConditionSet
}

export interface Sort {
  readonly attribute: string
  readonly direction: 'asc' | 'desc'
}

export interface Bundle {
  readonly type?: 'balanced' | 'every'
  readonly value?: number
  readonly sort: Sort
}

/** A value in the form of its type: a number, `{x, y}` or `{identifiers, quantity}`. */
export interface ActionValue {
  readonly x?: number
  readonly y?: number
  readonly result_item_limit?: number
  readonly attribute?: string
  readonly identifiers?: Readonly<Record<string, readonly string[]>>
  readonly quantity?: number
}

export interface Action {
  readonly type: (typeof ACTION_TYPES)[number]
  readonly selector: string
  readonly identifier?: string
  readonly groups?: readonly string[]
  readonly aggregation?: Aggregation
  readonly value: number | string | ActionValue
  readonly round?: boolean
  readonly apply_on?: string
  readonly discount_mode?: 'distributed' | 'default'
  readonly quantity?: number
  readonly limit?: { readonly value: number; readonly sort: Sort }
  readonly bundle?: Bundle
}

/** The parts of a value that has parts. */
export const valueOf = ({ value }: Action): ActionValue => (typeof value === 'object' ? value : {})

export interface Rule extends ConditionSet {
  readonly id?: string
  readonly name: string
  readonly priority?: number
  readonly actions: readonly Action[]
}

export interface RulesDocument {
  readonly rules: readonly Rule[]
}

/** More than any merchant writes by hand; organizations lower the first two by their settings. */
export const RULE_LIMITS = { rules: 100, conditions: 1_000, depth: 5, actions: 50, list: 1_000 }
/** Values of one order that the rules of a document look at: about half a second. */
export const VALUES_MAX = 500_000
