/** The raw query objects of the aggregating kinds → typed queries, collecting every violation. */
import {
  dateBreakdownOperators,
  intervals,
  operators,
  singleNumber,
  sortDirections,
  type Attribute,
  type Interval,
  type Operator,
  type Resource,
  type SortDirection,
} from '../catalogue/attribute.ts'
import { isObject, valueAt, type JsonObject } from './json-object.ts'
import { limits } from './limits.ts'
import type { QueryDialect } from './parse.ts'
import type { Breakdown, Condition, DateBreakdown, Measure } from './query.ts'
import type { MayRead } from './readable-types.ts'
import { readRange } from './resolve-condition.ts'
import { allowed, type Violation } from './violations.ts'

/** What resolving one query object needs and where it reports. */
export interface QueryContext {
  readonly resource: Resource
  readonly dialect: QueryDialect
  readonly mayRead: MayRead
  readonly violations: Violation[]
}

type Path = readonly string[]

/** Reports every key outside `known`. */
export const refuseUnknownKeys = (
  context: QueryContext,
  raw: JsonObject,
  known: readonly string[],
  path: Path,
): void => {
  for (const key of Object.keys(raw)) {
    if (!known.includes(key)) context.violations.push({ path: [...path, key], message: 'not valid' })
  }
}

/** The value of an optional key that must be one of `values`. */
export const resolveChoice = <T extends string>(
  context: QueryContext,
  value: unknown,
  values: readonly T[],
  path: Path,
  otherwise: T,
): T => {
  if (value === undefined) return otherwise
  const found = values.find((known) => known === value)
  if (found === undefined) context.violations.push({ path, message: allowed(values) })
  return found ?? otherwise
}

/** An integer from 1 to `max`. */
export const resolveLimit = (
  context: QueryContext,
  value: unknown,
  path: Path,
  otherwise: number,
  max: number,
): number => {
  if (value === undefined) return otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  const rule = typeof value === 'number' && !Number.isInteger(value) ? 'must be an integer' : 'must be'
  context.violations.push({ path, message: `${rule} between 1 and ${max}` })
  return otherwise
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** An attribute that passes `isAllowed`; the violation lists all that do. */
export const resolveAttribute = (
  context: QueryContext,
  value: unknown,
  isAllowed: (attribute: Attribute) => boolean,
  path: Path,
): Attribute | undefined => {
  if (isBlank(value)) {
    context.violations.push({ path, message: "can't be blank" })
    return undefined
  }
  const attribute = typeof value === 'string' ? context.resource.attributes.get(value) : undefined
  if (attribute !== undefined && isAllowed(attribute)) return attribute
  const paths = [...context.resource.attributes.values()].filter(isAllowed).map((known) => known.path)
  context.violations.push({ path, message: allowed(paths) })
  return undefined
}

type OperatorsOf = (field: Attribute) => readonly Operator[]

const perField: OperatorsOf = (field) => field.operators

/** Contract: in a date_breakdown exactly the five are valid, on every field that holds numbers. */
const strictDate: OperatorsOf = (field) => (field.operators.includes('avg') ? dateBreakdownOperators : [])

/** What is sent, and no date_breakdown takes: the violation to name, where another query could compute the field with it. */
const isNoDateOperator = (given: unknown): boolean =>
  given !== undefined && !dateBreakdownOperators.some((known) => known === given)

const isComputed = ({ resource }: QueryContext, field: unknown): boolean =>
  typeof field === 'string' && (resource.attributes.get(field)?.operators.length ?? 0) > 0

const resolveMeasure = (
  context: QueryContext,
  raw: JsonObject,
  path: Path,
  operatorsOf: OperatorsOf,
): Measure | undefined => {
  const given = valueAt(raw, 'operator')
  const fieldPath = [...path, 'field']
  const hasOperators = (attribute: Attribute): boolean => operatorsOf(attribute).length > 0
  if (operatorsOf === strictDate && isNoDateOperator(given)) {
    if (!isComputed(context, valueAt(raw, 'field'))) {
      resolveAttribute(context, valueAt(raw, 'field'), hasOperators, fieldPath)
    }
    context.violations.push({ path: [...path, 'operator'], message: allowed(dateBreakdownOperators) })
    return undefined
  }
  const field = resolveAttribute(context, valueAt(raw, 'field'), hasOperators, fieldPath)
  if (isBlank(given)) {
    context.violations.push({ path: [...path, 'operator'], message: "can't be blank" })
    return undefined
  }
  if (field === undefined) {
    resolveChoice<Operator>(context, given, operators, [...path, 'operator'], 'sum')
    return undefined
  }
  const operator = operatorsOf(field).find((known) => known === given)
  if (operator === undefined) {
    context.violations.push({ path: [...path, 'operator'], message: allowed(operatorsOf(field)) })
    return undefined
  }
  return { field, operator }
}

const resolveCondition = (
  context: QueryContext,
  raw: JsonObject,
  operator: Operator | undefined,
  path: Path,
): Condition | undefined => {
  const value = valueAt(raw, 'condition')
  if (value === undefined) return undefined
  if (operator !== undefined && !singleNumber.has(operator)) {
    const message = `not valid, ${operator} gives no single number; use one of: ${[...singleNumber].join(', ')}`
    context.violations.push({ path, message })
    return undefined
  }
  const read = readRange(value, 'number')
  if (read.ok) return read.value
  context.violations.push({ path, message: read.message })
  return undefined
}

const isForbidden = (rules: readonly string[], path: string): boolean =>
  rules.some((rule) => (rule.endsWith('.*') ? path.startsWith(rule.slice(0, -1)) : rule === path))

const nameOf = ({ path, aliasOf }: Attribute): string => aliasOf ?? path

const checkNesting = (context: QueryContext, outer: Attribute, inner: Attribute, path: Path): void => {
  const rules = context.resource.nestedByForbidden.get(nameOf(outer)) ?? []
  if (nameOf(inner) === nameOf(outer)) {
    context.violations.push({ path, message: 'not valid, must differ from the by it is nested in' })
  } else if (isForbidden(rules, nameOf(inner))) {
    context.violations.push({ path, message: `not valid, cannot be nested in ${outer.path}` })
  }
}

const BREAKDOWN_KEYS = ['by', 'field', 'operator', 'condition', 'sort', 'limit', 'breakdown']

/** `levelsLeft`: how many breakdowns may still be nested in this one; `outer`: what the one around it groups by. */
export const resolveBreakdown = (
  context: QueryContext,
  raw: JsonObject,
  path: Path,
  levelsLeft: number,
  outer?: Attribute,
): Breakdown | undefined => {
  refuseUnknownKeys(context, raw, BREAKDOWN_KEYS, path)
  const by = resolveAttribute(context, valueAt(raw, 'by'), (attribute) => attribute.isBy, [...path, 'by'])
  if (by !== undefined && outer !== undefined) checkNesting(context, outer, by, [...path, 'by'])
  const measure = resolveMeasure(context, raw, path, perField)
  const condition = resolveCondition(context, raw, measure?.operator, [...path, 'condition'])
  const sort = resolveChoice<SortDirection>(
    context,
    valueAt(raw, 'sort'),
    sortDirections,
    [...path, 'sort'],
    'desc',
  )
  const limit = resolveLimit(
    context,
    valueAt(raw, 'limit'),
    [...path, 'limit'],
    limits.breakdownDefault,
    limits.breakdownMax,
  )
  const inner = resolveNested(context, raw, path, levelsLeft, by)
  if (by === undefined || measure === undefined) return undefined
  return {
    by,
    ...measure,
    sort,
    limit,
    ...(condition === undefined ? {} : { condition }),
    ...(inner === undefined ? {} : { breakdown: inner }),
  }
}

const resolveNested = (
  context: QueryContext,
  raw: JsonObject,
  path: Path,
  levelsLeft: number,
  outer?: Attribute,
): Breakdown | undefined => {
  const value = valueAt(raw, 'breakdown')
  if (value === undefined) return undefined
  const inside = [...path, 'breakdown']
  if (levelsLeft === 0) {
    context.violations.push({ path: inside, message: 'not valid, no breakdown may be nested this deep' })
    return undefined
  }
  if (!isObject(value)) {
    context.violations.push({ path: inside, message: 'must be an object' })
    return undefined
  }
  return resolveBreakdown(context, value, inside, levelsLeft - 1, outer)
}

const DATE_KEYS = ['by', 'field', 'operator', 'interval', 'breakdown']

/** A breakdown by date intervals; it may hold a breakdown, which may hold one more. */
export const resolveDateBreakdown = (
  context: QueryContext,
  raw: JsonObject,
  path: Path,
): DateBreakdown | undefined => {
  refuseUnknownKeys(context, raw, DATE_KEYS, path)
  const by = resolveAttribute(context, valueAt(raw, 'by'), (attribute) => attribute.isDateBy, [...path, 'by'])
  const operatorsOf = context.dialect === 'strict' ? strictDate : perField
  const measure = resolveMeasure(context, raw, path, operatorsOf)
  const interval = resolveChoice<Interval>(
    context,
    valueAt(raw, 'interval'),
    intervals,
    [...path, 'interval'],
    'month',
  )
  const breakdown = resolveNested(context, raw, path, 2)
  if (by === undefined || measure === undefined) return undefined
  return { by, ...measure, interval, ...(breakdown === undefined ? {} : { breakdown }) }
}

/** One value over all matching records. */
export const resolveStats = (context: QueryContext, raw: JsonObject, path: Path): Measure | undefined => {
  refuseUnknownKeys(context, raw, ['field', 'operator'], path)
  return resolveMeasure(context, raw, path, perField)
}
