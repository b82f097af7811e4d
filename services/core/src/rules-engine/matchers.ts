/** Whether a value of the order meets the value of a condition, by the name of the matcher. */
import { isFoundIn } from '../definitions/patterns.ts'
import { isJson } from './facts.ts'

type Test = (fact: unknown, value: unknown) => boolean

const DATE = /^\d{4}-\d{2}-\d{2}(T.*)?$/

/** Numbers, and texts that are numbers or dates, as numbers; -1, 0 or 1. Undefined where the two cannot be compared. */
const compare = (a: unknown, b: unknown): number | undefined => {
  const [x, y] = [comparable(a, b), comparable(b, a)]
  if (typeof x === 'number' && typeof y === 'number') return Math.sign(x - y)
  if (typeof x === 'string' && typeof y === 'string') return x < y ? -1 : x > y ? 1 : 0
  return undefined
}

const comparable = (value: unknown, other: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (DATE.test(value) && typeof other === 'string' && DATE.test(other)) return Date.parse(value)
  const isNumber = typeof other === 'number' && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber ? Number(value) : value
}

const isEqual: Test = (fact, value) =>
  compare(fact, value) === 0 || (typeof fact === 'boolean' && (fact === value || String(fact) === value))

const isBlank: Test = (fact) => {
  if (fact === null || fact === undefined || fact === false) return true
  if (typeof fact === 'string') return fact.trim() === ''
  if (Array.isArray(fact)) return fact.length === 0
  return isJson(fact) && Object.keys(fact).length === 0
}

const not =
  (test: Test): Test =>
  (fact, value) =>
    !test(fact, value)

const ordered =
  (...allowed: readonly number[]): Test =>
  (fact, value) =>
    allowed.includes(compare(fact, value) ?? Number.NaN)

const within =
  (lower: Test, upper: Test): Test =>
  (fact, value) =>
    Array.isArray(value) && lower(fact, value[0]) && upper(fact, value[1])

const startsWith: Test = (fact, value) => typeof fact === 'string' && fact.startsWith(String(value))
const endsWith: Test = (fact, value) => typeof fact === 'string' && fact.endsWith(String(value))
const matchesPattern: Test = (fact, value) =>
  (typeof fact === 'string' || typeof fact === 'number') && isFoundIn(String(value), String(fact))
const isIn: Test = (fact, value) => Array.isArray(value) && value.some((one) => isEqual(fact, one))

const [lt, lteq, gt, gteq] = [ordered(-1), ordered(-1, 0), ordered(1), ordered(1, 0)]

const isMultiple: Test = (fact, value) => {
  const [number, step] = [Number(fact), Number(value)]
  return fact !== null && number !== 0 && step !== 0 && number % step === 0
}

/** `fact` is a list: all of `in_and`, one of `in_or`, none of `not_in_and`, not all of `not_in_or`. */
const matchesArray: Test = (fact, value) => {
  if (!Array.isArray(fact) || !isJson(value)) return false
  const has = (wanted: unknown): boolean => fact.some((one) => isEqual(one, wanted))
  const listOf = (name: string): readonly unknown[] | undefined =>
    Array.isArray(value[name]) ? (value[name] as readonly unknown[]) : undefined
  return (
    (listOf('in_and')?.every(has) ?? true) &&
    (listOf('in_or')?.some(has) ?? true) &&
    (listOf('not_in_and')?.every((wanted) => !has(wanted)) ?? true) &&
    (listOf('not_in_or')?.some((wanted) => !has(wanted)) ?? true)
  )
}

const MATCHERS: Readonly<Record<string, Test>> = {
  start_with: startsWith,
  not_start_with: not(startsWith),
  end_with: endsWith,
  not_end_with: not(endsWith),
  matches: matchesPattern,
  does_not_match: not(matchesPattern),
  multiple: isMultiple,
  eq: isEqual,
  not_eq: not(isEqual),
  lt,
  lteq,
  gt,
  gteq,
  gt_lt: within(gt, lt),
  gteq_lt: within(gteq, lt),
  gt_lteq: within(gt, lteq),
  gteq_lteq: within(gteq, lteq),
  is_in: isIn,
  is_not_in: not(isIn),
  array_match: matchesArray,
  blank: isBlank,
  present: not(isBlank),
  null: (fact) => fact === null || fact === undefined,
  not_null: (fact) => fact !== null && fact !== undefined,
}

/** Throws TypeError for a matcher that rules.ts does not let in. */
export const isMatch = (matcher: string, fact: unknown, value: unknown): boolean => {
  const test = MATCHERS[matcher]
  if (test === undefined) throw new TypeError(`there is no matcher ${matcher}`)
  return test(fact, value)
}
