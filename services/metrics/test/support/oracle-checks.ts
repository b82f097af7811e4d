/** Filter conditions of a request, as checks on values of a document. */
import { toFixed, type Fixed, type Value, type View } from './oracle-view.ts'

export type Json = Readonly<Record<string, unknown>>
type FilterKeys = Readonly<
  Record<
    string,
    { readonly kind: string; readonly attribute?: string; readonly section?: string; readonly match?: string }
  >
>

export interface OracleInput {
  /** Every record that is stored. */
  readonly views: readonly View[]
  /** The entity that a record is: `order` or `return`. */
  readonly record: string
  /** Statuses of the resource; undefined when all are. */
  readonly population: readonly string[] | undefined
  readonly scope: {
    readonly organizationId: string
    readonly mode: string
    readonly marketIds?: readonly string[]
    readonly storeId?: string
  }
  readonly now: Date
  /** Every attribute that a search may show, and that an export may. */
  readonly searchable: readonly string[]
  readonly exportable: readonly string[]
  /** `filters` of the catalogue data: which key stands for which attribute. */
  readonly filters: Readonly<Record<string, FilterKeys>>
  /** Full-text queries and what they mean. */
  readonly texts: ReadonlyMap<string, (text: string) => boolean>
}

export const isFixed = (value: unknown): value is Fixed =>
  typeof value === 'object' && value !== null && 'fixed' in value

export const compare = (left: Value, right: Value): number => {
  const [a, b] = [left, right].map((value) =>
    isFixed(value) ? value.fixed : value instanceof Date ? value.getTime() : value,
  )
  if (a === b) return 0
  return (a ?? '') < (b ?? '') ? -1 : 1
}

/** One element, or one thing that the order has once: a place in the document that conditions are checked at. */
export const at = (view: View, path: readonly string[]): Value => {
  let found: unknown = view
  for (const key of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return null
    found = (found as Json)[key]
  }
  return (found ?? null) as Value
}

const TREES = ['line_items', 'shipments', 'refunds', 'tags', 'resource_errors', 'return_line_items']
const LISTS = ['line_items.options', 'shipments.tags']

export interface Place {
  readonly tree?: string
  readonly list?: string
  readonly rest: readonly string[]
}

export const placeOf = (path: string): Place => {
  const parts = path.split('.')
  const [tree = '', inner = ''] = parts
  if (!TREES.includes(tree)) return { rest: parts }
  if (LISTS.includes(`${tree}.${inner}`) && parts.length > 2)
    return { tree, list: inner, rest: parts.slice(2) }
  return { tree, rest: parts.slice(1) }
}

export interface Check {
  readonly place: Place
  readonly holds: (value: Value) => boolean
}

const ranges: Readonly<Record<string, (value: Value, low: Value, high: Value) => boolean>> = {
  eq: (v, a) => compare(v, a) === 0,
  ne: (v, a) => compare(v, a) !== 0,
  gt: (v, a) => compare(v, a) > 0,
  gte: (v, a) => compare(v, a) >= 0,
  lt: (v, a) => compare(v, a) < 0,
  lte: (v, a) => compare(v, a) <= 0,
  gt_lt: (v, a, b) => compare(v, a) > 0 && compare(v, b) < 0,
  gte_lte: (v, a, b) => compare(v, a) >= 0 && compare(v, b) <= 0,
  gte_lt: (v, a, b) => compare(v, a) >= 0 && compare(v, b) < 0,
  gt_lte: (v, a, b) => compare(v, a) > 0 && compare(v, b) <= 0,
}

const toOperand = (value: unknown): Value =>
  typeof value === 'number' ? toFixed(value) : new Date(String(value))

const listCheck = (operator: string, items: readonly unknown[], match: string | undefined) => {
  const texts = items.map(String)
  const has = (value: Value): boolean => {
    if (Array.isArray(value)) return value.some((item) => texts.includes(item as string))
    if (isFixed(value)) return texts.includes(String(value.fixed / 100_000_000n))
    if (typeof value !== 'string') return false
    return match === 'prefix' ? texts.some((text) => value.startsWith(text)) : texts.includes(value)
  }
  return (value: Value): boolean => (operator === 'in' ? has(value) : !has(value))
}

/** A date as a timestamp without a fraction shows it. */
const cutToSecond = (value: Value): Value =>
  value instanceof Date ? new Date(Math.floor(value.getTime() / 1000) * 1000) : value

const BY_SECOND = ['eq', 'ne', 'lte', 'gte_lte', 'gt_lte']

const isWholeSecond = (operand: unknown): boolean => typeof operand === 'string' && !operand.includes('.')

export const rangeCheck = (operator: string, operand: unknown) => {
  const operands: readonly unknown[] = Array.isArray(operand) ? operand : [operand]
  const [low = null, high = null] = operands.map(toOperand)
  const bySecond = BY_SECOND.includes(operator) && isWholeSecond(operands.at(-1))
  return (value: Value): boolean => {
    if (value === null) return operator === 'ne'
    if (!bySecond) return ranges[operator]?.(value, low, high) ?? false
    if (high === null) return ranges[operator]?.(cutToSecond(value), low, null) ?? false
    const begins = operator === 'gt_lte' ? compare(value, low) > 0 : compare(value, low) >= 0
    return begins && compare(cutToSecond(value), high) <= 0
  }
}

export const checksOf = (input: OracleInput, section: string, conditions: Json): readonly Check[] =>
  Object.entries(conditions).flatMap(([key, condition]): readonly Check[] => {
    const known = input.filters[section]?.[key]
    if (known === undefined || known.kind.startsWith('date_')) return []
    if (known.kind === 'section') return checksOf(input, known.section ?? '', condition as Json)
    const place = placeOf(known.attribute ?? '')
    if (known.kind === 'boolean' || known.kind === 'string')
      return [{ place, holds: (value) => value === condition }]
    const [[operator = '', operand] = []] = Object.entries(condition as Json)
    if (known.kind === 'query') {
      const holds = input.texts.get(String(operand))
      if (holds === undefined) throw new Error(`the oracle does not know the text query ${String(operand)}`)
      return [{ place, holds: (value) => typeof value === 'string' && holds(value) }]
    }
    if (known.kind === 'list')
      return [{ place, holds: listCheck(operator, operand as readonly unknown[], known.match) }]
    return [{ place, holds: rangeCheck(operator, operand) }]
  })
