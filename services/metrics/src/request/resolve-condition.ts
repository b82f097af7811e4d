/** One comparison object, `{ "<operator>": operand }` → predicate operands, or what is wrong with it. */
import {
  rangeOperators,
  type ListKey,
  type ListOperator,
  type RangeOperator,
} from '../catalogue/attribute.ts'
import { instantRule, parseInstant } from './instants.ts'
import { isObject } from './json-object.ts'
import { limits } from './limits.ts'
import { isFiniteNumber, numberRule, toDecimalText } from './numbers.ts'

export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

const fail = (message: string) => ({ ok: false, message }) as const

/** Operators whose operand is [low, high]. */
export const twoSided: ReadonlySet<RangeOperator> = new Set(['gt_lt', 'gte_lte', 'gte_lt', 'gt_lte'])

/** The single operator of a comparison object and its operand. */
export const readOperator = <O extends string>(
  value: unknown,
  known: readonly O[],
): Outcome<{ readonly operator: O; readonly operand: unknown }> => {
  if (!isObject(value)) return fail(`not valid, must be an object with one of: ${known.join(', ')}`)
  const names = Object.keys(value)
  const operator = known.find((name) => name === names[0])
  const areKnown = names.every((name) => (known as readonly string[]).includes(name))
  if (names.length === 0) return fail(`can't be blank, valid operators are: ${known.join(', ')}`)
  if (!areKnown || operator === undefined) return fail(`not valid, valid operators are: ${known.join(', ')}`)
  if (names.length > 1) return fail(`not valid, exactly one operator is allowed of: ${known.join(', ')}`)
  return { ok: true, value: { operator, operand: value[operator] } }
}

type RangeItem = 'number' | 'integer' | 'datetime'

const itemRules: Readonly<Record<RangeItem, string>> = {
  number: `must be ${numberRule}`,
  integer: `must be ${numberRule}, without a fraction`,
  datetime: instantRule,
}

/** The operand as text, and as a number that orders it. */
const readItem = (
  item: RangeItem,
  value: unknown,
): { readonly text: string; readonly order: number } | undefined => {
  if (item === 'datetime') {
    const instant = parseInstant(value)
    return instant === undefined ? undefined : { text: instant.toISOString(), order: instant.getTime() }
  }
  if (!isFiniteNumber(value) || (item === 'integer' && !Number.isInteger(value))) return undefined
  return { text: toDecimalText(value), order: value }
}

const readPair = (operator: string, item: RangeItem, operand: unknown): Outcome<readonly string[]> => {
  const rule = item === 'datetime' ? 'timestamps' : 'numbers'
  if (!Array.isArray(operand) || operand.length !== 2) {
    return fail(`not valid, ${operator} takes an array of two ${rule}, low then high`)
  }
  const [low, high] = operand.map((value) => readItem(item, value))
  if (low === undefined || high === undefined) return fail(`not valid, each value ${itemRules[item]}`)
  if (low.order > high.order) return fail(`not valid, ${operator} takes the low value first`)
  return { ok: true, value: [low.text, high.text] }
}

/** `{"gte_lte": [10.3, 30.1]}` → operator and operands as text. */
export const readRange = (
  value: unknown,
  item: RangeItem,
): Outcome<{ readonly operator: RangeOperator; readonly operands: readonly string[] }> => {
  const read = readOperator(value, rangeOperators)
  if (!read.ok) return read
  const { operator, operand } = read.value
  if (twoSided.has(operator)) {
    const pair = readPair(operator, item, operand)
    return pair.ok ? { ok: true, value: { operator, operands: pair.value } } : pair
  }
  const single = readItem(item, operand)
  if (single === undefined) return fail(`not valid, ${operator} ${itemRules[item]}`)
  return { ok: true, value: { operator, operands: [single.text] } }
}

const INTEGER_TEXT = /^-?\d{1,15}$/

/** `order.numbers` are text that many callers know as integers; `market.numbers` come as integers or as their digits. */
const readListItem = (key: ListKey, value: unknown): string | undefined => {
  const text = key.item !== 'string' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') return undefined
  if (key.item === 'integer') return INTEGER_TEXT.test(text) ? text : undefined
  return text.length >= key.itemLengthMin && text.length <= limits.itemLengthMax ? text : undefined
}

const listRule = ({ item, itemLengthMin }: ListKey): string => {
  if (item === 'integer') return 'an integer of at most 15 digits'
  const text = `a string of ${itemLengthMin} to ${limits.itemLengthMax} characters`
  return item === 'string'
    ? text
    : `${text}, or an integer between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
}

/** `{"in": ["EUR"]}` → operator and distinct items. */
export const readList = (
  value: unknown,
  key: ListKey,
): Outcome<{ readonly operator: ListOperator; readonly values: readonly string[] }> => {
  const read = readOperator(value, key.operators)
  if (!read.ok) return read
  const { operator, operand } = read.value
  if (!Array.isArray(operand) || operand.length === 0 || operand.length > limits.listItemsMax) {
    return fail(`not valid, ${operator} takes an array of 1 to ${limits.listItemsMax} items`)
  }
  const items = operand.map((item) => readListItem(key, item))
  const values = items.filter((item) => item !== undefined)
  if (values.length < items.length) return fail(`not valid, each item must be ${listRule(key)}`)
  const unknown = values.some((item) => key.values !== undefined && !key.values.includes(item))
  if (unknown) return fail(`not valid, valid values are: ${key.values?.join(', ') ?? ''}`)
  return { ok: true, value: { operator, values: [...new Set(values)] } }
}
