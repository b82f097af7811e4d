/** The shape of documents of rules as JSON Schema, which is published (api/public.ts), and the check of what is sent as one. */
import { compile } from '@merx/validation/compile'
import type { Result } from '@merx/validation/compile'
import {
  ACTION_TYPES,
  BARE_MATCHERS,
  NUMBER_MATCHERS,
  OPERATORS,
  RULE_LIMITS,
  VALUE_MATCHERS,
} from './rules.ts'
import type { Action, RulesDocument } from './rules.ts'
import type { RuleSubject } from './subjects.ts'

const TEXT_MAX = 255
/** Of a value: the longest regular expression that is accepted. */
const VALUE_MAX = 5_000
const CENTS_MAX = 1_000_000_000_000
const COUNT_MAX = 1_000_000

const text = { type: 'string', minLength: 1, maxLength: TEXT_MAX }
const pathOf = (subject: RuleSubject) => ({
  type: 'string',
  pattern: `^${subject}(\\.[a-z0-9_-]{1,64}){0,6}$`,
  maxLength: TEXT_MAX,
})
const count = { type: 'integer', minimum: 1, maximum: COUNT_MAX }
const cents = { type: ['integer', 'string'], minimum: 0, maximum: CENTS_MAX, pattern: '^\\d{1,12}$' }
const texts = { type: 'array', minItems: 1, maxItems: RULE_LIMITS.list, items: text }
const scalar = { type: ['string', 'number', 'boolean'], maxLength: VALUE_MAX }
const scalars = { type: 'array', maxItems: RULE_LIMITS.list, items: scalar }

const aggregationOf = (subject: RuleSubject) => ({
  type: 'object',
  required: ['field', 'matcher', 'operator', 'value'],
  additionalProperties: false,
  properties: {
    field: pathOf(subject),
    matcher: { enum: NUMBER_MATCHERS },
    operator: { enum: OPERATORS },
    value: { type: 'number' },
  },
})

const setProperties = {
  conditions_logic: { enum: ['and', 'or'] },
  conditions: {
    type: 'array',
    minItems: 1,
    maxItems: RULE_LIMITS.conditions,
    items: { $ref: '#/$defs/condition' },
  },
}

const conditionOf = (subject: RuleSubject) => ({
  type: 'object',
  required: ['field', 'matcher'],
  additionalProperties: false,
  properties: {
    field: pathOf(subject),
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
    aggregations: { type: 'array', maxItems: 20, items: aggregationOf(subject) },
    nested: {
      type: 'object',
      required: ['conditions'],
      additionalProperties: false,
      properties: setProperties,
    },
  },
  if: { properties: { matcher: { enum: BARE_MATCHERS } }, required: ['matcher'] },
  else: { required: ['value'] },
})

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
  fixed_amount: cents,
  fixed_price: cents,
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
      attribute: pathOf('order'),
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
          'order.line_items.sku.id': texts,
          'order.line_items.bundle.id': texts,
          'order.line_items.sku.sku_lists.id': texts,
        },
      },
      quantity: count,
    },
  },
}

/** What the actions of a subject may be and do. */
interface ActionFacts {
  readonly types: readonly Action['type'][]
  readonly selector: string
  readonly applyOn: readonly string[]
}

const ACTIONS: Readonly<Record<RuleSubject, ActionFacts>> = {
  order: {
    types: ACTION_TYPES,
    selector: '^order(\\.line_items(\\.[a-z0-9_-]{1,64}){0,4})?$',
    applyOn: ['subtotal_amount_cents', 'total_amount_cents', 'unit_amount_cents', 'compare_at_amount_cents'],
  },
  price: {
    types: ['percentage', 'fixed_amount', 'fixed_price'],
    selector: '^price(\\.[a-z0-9_-]{1,64}){0,4}$',
    applyOn: ['amount_cents', 'compare_at_amount_cents'],
  },
}

const actionOf = (subject: RuleSubject, { types, selector, applyOn }: ActionFacts) => ({
  type: 'object',
  required: ['type', 'selector', 'value'],
  additionalProperties: false,
  properties: {
    type: { enum: types },
    selector: { ...pathOf(subject), pattern: selector },
    identifier: text,
    groups: { type: 'array', maxItems: 20, items: text },
    aggregation: aggregationOf(subject),
    value: {},
    round: { type: 'boolean' },
    apply_on: { enum: applyOn },
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
  allOf: types.map((type) => ({
    if: { required: ['type'], properties: { type: { const: type } } },
    then: { properties: { value: VALUES[type] } },
  })),
})

const schemaOf = (subject: RuleSubject, title: string) => ({
  title,
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
          actions: {
            type: 'array',
            minItems: 1,
            maxItems: RULE_LIMITS.actions,
            items: actionOf(subject, ACTIONS[subject]),
          },
        },
      },
    },
  },
  $defs: { condition: conditionOf(subject) },
})

/** Subject → what documents of its rules are checked with, and what is published. */
export const RULES_SCHEMAS = {
  order: schemaOf('order', 'Rules of a flex promotion'),
  price: schemaOf('price', 'Rules of a price or a price list'),
} as const satisfies Readonly<Record<RuleSubject, object>>

const parsers = {
  order: compile<RulesDocument>(RULES_SCHEMAS.order),
  price: compile<RulesDocument>(RULES_SCHEMAS.price),
} as const satisfies Readonly<Record<RuleSubject, unknown>>

/** A document whose shape is right, or what is wrong with it; rule-problems.ts says whether it makes sense. */
export const parseRules = (value: unknown, subject: RuleSubject): Result<RulesDocument> =>
  parsers[subject](value)
