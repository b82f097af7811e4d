/** What the types of promotions have in common: attributes, relationships and rules. A type adds its own (types/). */
import { boolean, computed, instant, integer, trigger } from '@merx/jsonapi/attributes'
import type { Attribute, RenderContext, Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import type { Relationship, ToOne } from '@merx/jsonapi/relationships'
import { switchable } from '@merx/jsonapi/rules'
import type { Action, Rule } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, currencyCode, name } from '../definitions/shapes.ts'
import {
  attachableAsFamily,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'
import { endsAfterItStarts } from '../definitions/validity.ts'
import { currencyOfPromotion, withCurrency } from './promotion-currency.ts'
import { statusOf } from './promotion-status.ts'
import type { PromotionType } from './promotion-types.ts'
import { PRIORITY_MAX, weighed } from './weight.ts'

const COUNT_MAX = 2_147_483_647

const statusNow = (row: Row, { now = new Date() }: RenderContext) => statusOf(row, now)

/** What follows from the columns of a promotion, whatever its type. */
const derived = {
  total_usage_count: integer({ filter: true, sort: true }),
  total_usage_reached: boolean({ filter: true, sort: true }),
  active: computed((row, context) => statusNow(row, context) === 'active'),
  status: computed(statusNow),
  weight: integer(),
  coupons_count: integer(),
  disabled_at: instant({ filter: true, sort: true }),
}

/** The attributes as the list of all promotions shows them; none of them is written there. */
export const readOnlyAttributes: Readonly<Record<string, Attribute>> = {
  name: name({ write: 'never', required: false }),
  currency_code: currencyCode({ filter: true, sort: true }),
  exclusive: boolean({ filter: true, sort: true }),
  priority: integer({ filter: true, sort: true }),
  starts_at: instant({ filter: true, sort: true }),
  expires_at: instant({ filter: true, sort: true }),
  total_usage_limit: integer({ filter: true, sort: true }),
  ...derived,
}

const attributes: Readonly<Record<string, Attribute>> = {
  name: name(),
  currency_code: currencyCode({ write: 'always', filter: true, sort: true }),
  exclusive: boolean({ write: 'always', default: false, filter: true, sort: true }),
  priority: integer({ write: 'always', min: 0, max: PRIORITY_MAX, filter: true, sort: true }),
  starts_at: instant({ write: 'always', required: true, filter: true, sort: true }),
  expires_at: instant({ write: 'always', required: true, filter: true, sort: true }),
  total_usage_limit: integer({ write: 'always', min: 1, max: COUNT_MAX, filter: true, sort: true }),
  ...derived,
  _disable: trigger({ write: 'always' }),
  _enable: trigger({ write: 'always' }),
  ...tagTriggers,
}

const ruleOf = (target: string): ToOne =>
  toOne(target, { virtual: 'rule_of_promotion', include: true, filter: true })

/** What belongs to a promotion. A rule names its promotion when it is written, so nothing is written here. */
export const ownedByPromotion = {
  promotion_rules: toMany('promotion_rules', {
    inverse: 'promotion',
    include: true,
    filter: true,
    endpoint: false,
  }),
  order_amount_promotion_rule: ruleOf('order_amount_promotion_rules'),
  sku_list_promotion_rule: ruleOf('sku_list_promotion_rules'),
  coupon_codes_promotion_rule: ruleOf('coupon_codes_promotion_rules'),
  custom_promotion_rule: ruleOf('custom_promotion_rules'),
  coupons: toMany('coupons', { virtual: 'coupons_of_promotion', include: true, filter: true }),
} as const

const SKU_CODE_FILTERS = {
  sku_code_eq: 'skus.code_eq',
  sku_code_matches: 'skus.code_matches',
  sku_code_start: 'skus.code_start',
  sku_code_end: 'skus.code_end',
  sku_code_in: 'skus.code_in',
}

export interface PromotionDeclaration {
  readonly summary: string
  /**
   * Which articles it is for: those of a list that must or may be given, none because it is for something else, or what its own
   * rules say; it then has no rule beside them but coupons.
   */
  readonly skuList: 'required' | 'optional' | 'whole order' | 'own rules'
  /** Its amounts are in a currency, so that it must have one. */
  readonly needsCurrency?: true
  readonly attributes?: Readonly<Record<string, Attribute>>
  readonly actions?: Readonly<Record<string, Action>>
  readonly rules?: readonly Rule[]
}

const {
  currency_code: _currency,
  total_usage_reached: _reached,
  weight: _weight,
  coupons_count: _count,
  ...withOwnRules
} = attributes

const relationshipsOf = (
  skuList: PromotionDeclaration['skuList'],
): Readonly<Record<string, Relationship>> => {
  const { coupon_codes_promotion_rule, coupons, ...others } = ownedByPromotion
  if (skuList === 'own rules') return { coupon_codes_promotion_rule, coupons }
  return {
    market: toOne('markets', { write: 'always', include: true, filter: true, sort: true }),
    sku_list: toOne('sku_lists', {
      write: 'always',
      required: skuList === 'required',
      include: true,
      filter: true,
      sort: true,
    }),
    ...(skuList === 'whole order'
      ? {}
      : { skus: toMany('skus', { virtual: 'skus_of_its_list', include: true }) }),
    ...{ coupon_codes_promotion_rule, coupons },
    ...others,
  }
}

/** A type of promotions: rows of the table of all promotions. */
export const definePromotion = (
  type: PromotionType,
  { summary, skuList, needsCurrency, rules = [], ...own }: PromotionDeclaration,
): ResourceDefinition =>
  defineResource(type, {
    summary,
    model: 'promotion',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'promotions',
    attributes: { ...(skuList === 'own rules' ? withOwnRules : attributes), ...own.attributes },
    relationships: {
      ...relationshipsOf(skuList),
      ...attachableAsFamily,
      ...observed,
      ...tagged('promotion_id'),
      ...versioned,
    },
    namedFilters: skuList === 'required' || skuList === 'optional' ? SKU_CODE_FILTERS : {},
    actions: { ...switchable, ...tagAction, ...own.actions },
    rules: [
      ...(skuList === 'own rules' ? [] : [currencyOfPromotion]),
      ...(needsCurrency === undefined ? [] : [withCurrency]),
      endsAfterItStarts,
      ...rules,
      weighed(type),
    ],
  })
