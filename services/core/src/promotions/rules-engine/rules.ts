/**
 * The rules of a flex promotion: the shape of the JSON document that the vendor publishes for orders (commerce.md 1.3), and the
 * check of whatever is sent as one. What they mean is in conditions.ts, select-lines.ts and actions.ts.
 */
import { compile } from '@merx/validation/compile'
import type { Result } from '@merx/validation/compile'

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
const OPERATORS = ['sum', 'min', 'max', 'count', 'count_uniq'] as const
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
  /** Dot path from the order: `order.line_items.sku.code`. */
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

export interface RuleOfOrder extends ConditionSet {
  readonly id?: string
  readonly name: string
  readonly priority?: number
  readonly actions: readonly Action[]
}

export interface RulesDocument {
  readonly rules: readonly RuleOfOrder[]
}

/** More than any merchant writes by hand; organizations lower the first two by their settings. */
export const RULE_LIMITS = { rules: 100, conditions: 1_000, depth: 5, actions: 50, list: 1_000 }
/** Values of one order that the rules of a document look at: about half a second. */
export const VALUES_MAX = 500_000

const TEXT_MAX = 255
/** Of a value: the longest regular expression that is accepted. */
const VALUE_MAX = 5_000
const CENTS_MAX = 1_000_000_000_000
const COUNT_MAX = 1_000_000

const text = { type: 'string', minLength: 1, maxLength: TEXT_MAX }
const path = { type: 'string', pattern: '^order(\\.[a-z0-9_-]{1,64}){0,6}$', maxLength: TEXT_MAX }
const count = { type: 'integer', minimum: 1, maximum: COUNT_MAX }
const scalar = { type: ['string', 'number', 'boolean'], maxLength: VALUE_MAX }
const scalars = { type: 'array', maxItems: RULE_LIMITS.list, items: scalar }

const aggregation = {
  type: 'object',
  required: ['field', 'matcher', 'operator', 'value'],
  additionalProperties: false,
  properties: {
    field: path,
    matcher: { enum: NUMBER_MATCHERS },
    operator: { enum: OPERATORS },
    value: { type: 'number' },
  },
}

const setProperties = {
  conditions_logic: { enum: ['and', 'or'] },
  conditions: {
    type: 'array',
    minItems: 1,
    maxItems: RULE_LIMITS.conditions,
    items: { $ref: '#/$defs/condition' },
  },
}

const condition = {
  type: 'object',
  required: ['field', 'matcher'],
  additionalProperties: false,
  properties: {
    field: path,
    matcher: { enum: [...VALUE_MATCHERS, ...BARE_MATCHERS] },
    value: {
      type: ['string', 'number', 'boolean', 'array', 'object'],
      maxLength: VALUE_MAX,
      maxItems: RULE_LIMITS.list,
      items: scalar,
      additionalProperties: false,
      properties: { in_and: scalars, in_or: scalars, not_in_and: scalars, not_in_or: scalars },
    },
    scope: { enum: ['any', 'all'] },
    group: text,
    aggregations: { type: 'array', maxItems: 20, items: aggregation },
    nested: {
      type: 'object',
      required: ['conditions'],
      additionalProperties: false,
      properties: setProperties,
    },
  },
  if: { properties: { matcher: { enum: BARE_MATCHERS } }, required: ['matcher'] },
  else: { required: ['value'] },
}

const sort = {
  type: 'object',
  required: ['attribute', 'direction'],
  additionalProperties: false,
  properties: { attribute: text, direction: { enum: ['asc', 'desc'] } },
}

/** What `value` is, by the type of the action. Numbers may be sent as texts, as the vendor's examples do. */
const VALUES: Readonly<Record<Action['type'], object>> = {
  percentage: {
    type: ['number', 'string'],
    minimum: 0,
    maximum: 1,
    pattern: '^(0(\\.\\d{1,6})?|1(\\.0{1,6})?)$',
  },
  fixed_amount: { type: ['integer', 'string'], minimum: 0, maximum: CENTS_MAX, pattern: '^\\d{1,12}$' },
  fixed_price: { type: ['integer', 'string'], minimum: 0, maximum: CENTS_MAX, pattern: '^\\d{1,12}$' },
  buy_x_pay_y: {
    type: 'object',
    required: ['x', 'y'],
    additionalProperties: false,
    properties: { x: { ...count, minimum: 2 }, y: count, result_item_limit: count },
  },
  every_x_discount_y: {
    type: 'object',
    required: ['x', 'y', 'attribute'],
    additionalProperties: false,
    properties: {
      x: { type: 'integer', minimum: 1, maximum: CENTS_MAX },
      y: { type: 'integer', minimum: 1, maximum: CENTS_MAX },
      attribute: path,
    },
  },
  free_gift: {
    type: 'object',
    required: ['identifiers'],
    additionalProperties: false,
    properties: {
      identifiers: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          'order.line_items.sku.id': { type: 'array', minItems: 1, maxItems: RULE_LIMITS.list, items: text },
          'order.line_items.bundle.id': {
            type: 'array',
            minItems: 1,
            maxItems: RULE_LIMITS.list,
            items: text,
          },
          'order.line_items.sku.sku_lists.id': {
            type: 'array',
            minItems: 1,
            maxItems: RULE_LIMITS.list,
            items: text,
          },
        },
      },
      quantity: count,
    },
  },
}

const action = {
  type: 'object',
  required: ['type', 'selector', 'value'],
  additionalProperties: false,
  properties: {
    type: { enum: ACTION_TYPES },
    selector: { ...path, pattern: '^order(\\.line_items(\\.[a-z0-9_-]{1,64}){0,4})?$' },
    identifier: text,
    groups: { type: 'array', maxItems: 20, items: text },
    aggregation,
    value: {},
    round: { type: 'boolean' },
    apply_on: {
      enum: ['subtotal_amount_cents', 'total_amount_cents', 'unit_amount_cents', 'compare_at_amount_cents'],
    },
    discount_mode: { enum: ['distributed', 'default'] },
    quantity: count,
    limit: {
      type: 'object',
      required: ['value', 'sort'],
      additionalProperties: false,
      properties: { value: count, sort },
    },
    bundle: {
      type: 'object',
      required: ['sort'],
      additionalProperties: false,
      properties: { type: { enum: ['balanced', 'every'] }, value: count, sort },
    },
  },
  allOf: Object.entries(VALUES).map(([type, value]) => ({
    if: { required: ['type'], properties: { type: { const: type } } },
    then: { properties: { value } },
  })),
}

/** What documents of rules are checked with, and what is published (api/public.ts). */
export const ORDER_RULES_SCHEMA = {
  title: 'Rules of a flex promotion',
  type: 'object',
  required: ['rules'],
  additionalProperties: false,
  properties: {
    rules: {
      type: 'array',
      minItems: 1,
      maxItems: RULE_LIMITS.rules,
      items: {
        type: 'object',
        required: ['name', 'conditions', 'actions'],
        additionalProperties: false,
        properties: {
          id: text,
          name: text,
          priority: { type: 'integer', minimum: 0, maximum: COUNT_MAX },
          ...setProperties,
          actions: { type: 'array', minItems: 1, maxItems: RULE_LIMITS.actions, items: action },
        },
      },
    },
  },
  $defs: { condition },
}

const parse = compile<RulesDocument>(ORDER_RULES_SCHEMA)

/** A document whose shape is right, or what is wrong with it; rule-problems.ts says whether it makes sense. */
export const parseRules = (value: unknown): Result<RulesDocument> => parse(value)
