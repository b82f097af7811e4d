/** Reads one comparison object, `{ "<operator>": operand }`, into the operands of a predicate, or says why it is invalid. */
import { normalizeEmail } from '@merx/validation/normalize'
import {
  rangeOperators,
  type ListKey,
  type ListOperator,
  type RangeOperator,
} from '../catalogue/attribute.ts'
import { instantRule, parseInstant, parseLastInstant } from './instants.ts'
import { isObject } from './json-object.ts'
import { limits } from './limits.ts'
import { decimalRule, integerRule, isDecimal, toDecimalText } from './numbers.ts'

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
  number: `must be ${decimalRule}`,
  integer: `must be ${integerRule}`,
  datetime: instantRule,
}

interface Item {
  readonly text: string
  /** A number that orders it. */
  readonly order: number
  /** The end of what it names: of an instant without a fraction the last millisecond of its second. */
  readonly last: string
}

const readItem = (item: RangeItem, value: unknown): Item | undefined => {
  if (item === 'datetime') {
    const [first, last] = [parseInstant(value), parseLastInstant(value)]
    if (first === undefined || last === undefined) return undefined
    return { text: first.toISOString(), order: first.getTime(), last: last.toISOString() }
  }
  if (!isDecimal(value) || (item === 'integer' && !Number.isInteger(value))) return undefined
  const text = toDecimalText(value)
  return { text, order: value, last: text }
}

/** Operators whose upper bound is included. */
const upToLast: ReadonlySet<RangeOperator> = new Set(['lte', 'gte_lte', 'gt_lte'])

interface Range {
  readonly operator: RangeOperator
  readonly operands: readonly string[]
}

const toRange = (operator: RangeOperator, low: Item, high: Item = low): Range => {
  const isSpan = low.text !== low.last
  if (operator === 'eq' && isSpan) return { operator: 'gte_lte', operands: [low.text, low.last] }
  if (operator === 'ne' && isSpan) return { operator, operands: [low.text, low.last] }
  const end = upToLast.has(operator) ? high.last : high.text
  return { operator, operands: twoSided.has(operator) ? [low.text, end] : [end] }
}

const readPair = (operator: string, item: RangeItem, operand: unknown): Outcome<readonly [Item, Item]> => {
  const rule = item === 'datetime' ? 'timestamps' : 'numbers'
  if (!Array.isArray(operand) || operand.length !== 2) {
    return fail(`not valid, ${operator} takes an array of two ${rule}, low then high`)
  }
  const [low, high] = operand.map((value) => readItem(item, value))
  if (low === undefined || high === undefined) return fail(`not valid, each value ${itemRules[item]}`)
  if (low.order > high.order) return fail(`not valid, ${operator} takes the low value first`)
  return { ok: true, value: [low, high] }
}

/** `{"gte_lte": [10.3, 30.1]}` → operator and operands as text; two operands of `ne` are a span to stay out of. */
export const readRange = (value: unknown, item: RangeItem): Outcome<Range> => {
  const read = readOperator(value, rangeOperators)
  if (!read.ok) return read
  const { operator, operand } = read.value
  if (twoSided.has(operator)) {
    const pair = readPair(operator, item, operand)
    return pair.ok ? { ok: true, value: toRange(operator, ...pair.value) } : pair
  }
  const single = readItem(item, operand)
  if (single === undefined) return fail(`not valid, ${operator} ${itemRules[item]}`)
  return { ok: true, value: toRange(operator, single) }
}

const INTEGER_TEXT = /^-?\d{1,15}$/

/** `order.numbers` are text that many callers know as integers; `market.numbers` come as integers or as their digits. */
const readListItem = (key: ListKey, value: unknown): string | undefined => {
  const isNumberAllowed = key.item === 'integer' || key.item === 'string or integer'
  const text = isNumberAllowed && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') return undefined
  if (key.item === 'integer') return INTEGER_TEXT.test(text) ? text : undefined
  if (text.length < key.itemLengthMin || text.length > limits.itemLengthMax) return undefined
  return key.item === 'email' ? normalizeEmail(text) : text
}

const listRule = ({ item, itemLengthMin }: ListKey): string => {
  if (item === 'integer') return 'an integer of at most 15 digits'
  const length =
    itemLengthMin === 0 ? `at most ${limits.itemLengthMax}` : `${itemLengthMin} to ${limits.itemLengthMax}`
  const text = `a string of ${length} characters`
  return item === 'string' || item === 'email'
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
