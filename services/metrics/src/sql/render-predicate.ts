/** One predicate → a condition that is never NULL: a missing value passes `ne` and `not_in`, and nothing else. */
import type { Attribute, RangeOperator } from '../catalogue/attribute.ts'
import { EARLIEST_MS } from '../plan/passes/clamp-range.ts'
import type { Predicate } from '../request/query.ts'
import { isRate } from './is-rate.ts'
import { renderText } from './render-text.ts'
import { toInstantText, type Params, type ParamType } from './statement.ts'

const comparisons: Readonly<Record<RangeOperator, readonly string[]>> = {
  eq: ['='],
  ne: ['!='],
  gt: ['>'],
  gte: ['>='],
  lt: ['<'],
  lte: ['<='],
  gt_lt: ['>', '<'],
  gte_lte: ['>=', '<='],
  gte_lt: ['>=', '<'],
  gt_lte: ['>', '<='],
}

/** `x` against one operand or [low, high]; `ref` and each placeholder are SQL. Not equal to two is outside of their span. */
export const renderComparison = (
  operator: RangeOperator,
  ref: string,
  placeholders: readonly string[],
): string => {
  const [first = 'NULL', last] = placeholders
  if (operator === 'ne' && last !== undefined) return `(${ref} < ${first} OR ${ref} > ${last})`
  return comparisons[operator]
    .map((sign, index) => `${ref} ${sign} ${placeholders[index] ?? 'NULL'}`)
    .join(' AND ')
}

/** Digits before the point of what is stored: amounts are Decimal(18, 4), rates Decimal(18, 8). */
const [WHOLE_DIGITS, RATE_WHOLE_DIGITS] = [14, 10]
/** Digits after the point of an operand that is compared as an amount. */
const FRACTION_DIGITS = 4

const wholeDigitsOf = (operand: string): number => operand.replace('-', '').split('.')[0]?.length ?? 0

/** Whether amounts and whole numbers as they are stored can be as large. */
export const isStorable = ({ type }: Attribute, operand: string): boolean =>
  type !== 'float' || wholeDigitsOf(operand) <= WHOLE_DIGITS

/**
 * The type that compares without widening what is stored, where the operand fits into it: widening costs a tenth of a
 * query over a list. Whole numbers of the request have at most 16 digits (`limits.numberMax`).
 */
const typeOf = (attribute: Attribute, operand: string): ParamType => {
  const { type } = attribute
  const [, fraction = ''] = operand.split('.')
  if (type === 'integer' && fraction === '') return 'Int64'
  const wholeMax = isRate(attribute) ? RATE_WHOLE_DIGITS : WHOLE_DIGITS
  const isShort = wholeDigitsOf(operand) <= wholeMax && fraction.length <= FRACTION_DIGITS
  return type === 'float' && isShort ? 'Decimal(18, 4)' : 'Decimal(38, 8)'
}

/** Dates of the year 0, which a request may name, are compared as numbers: their text the engine takes for others. */
const addInstant = (instant: Date, params: Params): string => {
  const ms = instant.getTime()
  if (ms < EARLIEST_MS) return `fromUnixTimestamp64Milli(${params.add(String(ms), 'Int64')}, 'UTC')`
  return params.add(toInstantText(instant), "DateTime64(3, 'UTC')")
}

const addOperand = (attribute: Attribute, operand: string, params: Params): string => {
  if (attribute.type === 'datetime') return addInstant(new Date(operand), params)
  return params.add(operand, typeOf(attribute, operand))
}

const addList = (attribute: Attribute, values: readonly string[], params: Params): string => {
  if (attribute.type === 'integer') return params.add(values.map(Number), 'Array(Int64)')
  // what stands for no value in the column is not what an empty text names
  return params.add(attribute.isEmptyNone ? values.filter((value) => value !== '') : values, 'Array(String)')
}

const renderList = (predicate: Predicate & { op: 'in' | 'not_in' }, ref: string, params: Params): string => {
  const { attribute, op, match, values } = predicate
  const list = addList(attribute, values, params)
  const isIn = op === 'in'
  if (attribute.type === 'array<string>') return `${isIn ? '' : 'NOT '}hasAny(${ref}, ${list})`
  if (match === 'prefix') {
    const some = `arrayExists(v -> startsWith(ifNull(${ref}, ''), v), ${list})`
    return isIn ? some : `NOT ${some}`
  }
  return `ifNull(${ref} ${isIn ? 'IN' : 'NOT IN'} ${list}, ${isIn ? 0 : 1})`
}

/** `ref` is the SQL of the attribute's value: a column, or the argument of a lambda over elements. */
export const renderPredicate = (predicate: Predicate, ref: string, params: Params): string => {
  switch (predicate.op) {
    case 'is':
      return `ifNull(${ref} = ${params.add(predicate.value, 'Bool')}, 0)`
    case 'in':
    case 'not_in':
      return renderList({ ...predicate, op: predicate.op }, ref, params)
    case 'query':
      return renderText(predicate.expression, ref, params)
    default: {
      const { op, attribute, operands } = predicate
      const placeholders = operands.map((operand) => addOperand(attribute, operand, params))
      return `ifNull(${renderComparison(op, ref, placeholders)}, ${op === 'ne' ? 1 : 0})`
    }
  }
}
