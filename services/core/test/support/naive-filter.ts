/**
 * Filters evaluated the slow and obvious way, over rows in memory: every combination of related rows is tried. What
 * the SQL of store/sql must agree with.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf } from '@merx/jsonapi/columns'
import type { FieldPath, FieldTest, Filter, FilterScalar, FilterTest, Step } from '@merx/jsonapi/query'

/** Rows of one environment by table. */
export type Tables = ReadonlyMap<string, readonly Row[]>

export const matches = (row: Row, filters: readonly Filter[], tables: Tables): boolean => {
  const paths = new Map<string, readonly Step[]>()
  for (const { path } of filters.flatMap(({ tests }) => tests)) {
    for (let length = 1; length <= path.steps.length; length += 1) {
      const steps = path.steps.slice(0, length)
      paths.set(keyOf(steps), steps)
    }
  }
  const ordered = [...paths.values()].sort((a, b) => a.length - b.length)
  return someCombination(new Map([['', row]]), ordered, filters, tables)
}

type Combination = ReadonlyMap<string, Row | null>

const keyOf = (steps: readonly Step[]): string => steps.map(({ name }) => name).join('.')

const someCombination = (
  chosen: Combination,
  paths: readonly (readonly Step[])[],
  filters: readonly Filter[],
  tables: Tables,
): boolean => {
  const [steps, ...rest] = paths
  if (steps === undefined) return filters.every((filter) => holds(filter, chosen))
  const owner = chosen.get(keyOf(steps.slice(0, -1))) ?? null
  const step = steps.at(-1)
  const related = owner === null || step === undefined ? [] : relatedRows(owner, step, tables)
  const candidates: readonly (Row | null)[] = related.length === 0 ? [null] : related
  return candidates.some((row) =>
    someCombination(new Map([...chosen, [keyOf(steps), row]]), rest, filters, tables),
  )
}

const relatedRows = (owner: Row, { relationship, name, to }: Step, tables: Tables): readonly Row[] => {
  const rows = tables.get(to.table) ?? []
  if (relationship.kind === 'toOne')
    return rows.filter((row) => row['id'] === owner[foreignKeyOf(name, relationship)])
  const inverse = relationship.inverse ?? ''
  const back = to.relationships[inverse]
  if (back?.kind !== 'toOne') throw new Error('the naive evaluator knows plain inverses only')
  return rows.filter((row) => row[foreignKeyOf(inverse, back)] === owner['id'])
}

const holds = ({ tests, combinator }: Filter, chosen: Combination): boolean => {
  const results = tests.map((fieldTest) => testHolds(fieldTest, chosen))
  return combinator === 'or' ? results.some(Boolean) : results.every(Boolean)
}

const testHolds = ({ path, test }: FieldTest, chosen: Combination): boolean => {
  const row = chosen.get(keyOf(path.steps)) ?? null
  const value = row === null ? null : (row[columnOfPath(path)] ?? null)
  const result = evaluate(value, test)
  return result === true
}

const columnOfPath = ({ field }: FieldPath): string => {
  switch (field.kind) {
    case 'id':
      return 'id'
    case 'attribute':
      return columnOf(field.name, field.attribute)
    case 'toOneKey':
      return foreignKeyOf(field.name, field.relationship)
    case 'polymorphicKey':
      throw new Error('the naive evaluator knows no polymorphic keys')
  }
}

/** Undefined is SQL's unknown. */
const evaluate = (value: unknown, test: FilterTest): boolean | undefined => {
  switch (test.kind) {
    case 'null':
      return (value === null) === test.expected
    case 'blank':
      return isBlank(value) === test.expected
    case 'containsJson':
      return value === null ? undefined : contains(value, test.value)
    case 'like': {
      if (typeof value !== 'string') return undefined
      const results = test.patterns.map((pattern) => toExpression(pattern).test(value) !== test.isNegated)
      return test.quantifier === 'any' ? results.some(Boolean) : results.every(Boolean)
    }
    case 'compare': {
      if (value === null) return test.orNull || undefined
      const results = test.values.map((wanted) => compare(value, test.comparison, wanted))
      return test.quantifier === 'any' ? results.some(Boolean) : results.every(Boolean)
    }
  }
}

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !(value instanceof Date) && Object.keys(value ?? {}).length === 0)

const compare = (value: unknown, comparison: string, wanted: FilterScalar): boolean => {
  const [a, b] = inOrder(toComparable(value), toComparable(wanted))
  switch (comparison) {
    case 'eq':
      return a === b
    case 'not_eq':
      return a !== b
    case 'lt':
      return a < b
    case 'lteq':
      return a <= b
    case 'gt':
      return a > b
    default:
      return a >= b
  }
}

/** Two texts as numbers that stand to each other as they do. */
const inOrder = (a: string | number, b: string | number): readonly [string | number, string | number] =>
  typeof a === 'string' && typeof b === 'string' ? [compareTexts(a, b), 0] : [a, b]

/** By code point, as the clusters order texts (docs/adr/0007); UTF-8 keeps that order, UTF-16 does not. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const toComparable = (value: unknown): string | number => {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'number' || typeof value === 'string') return value
  throw new TypeError('no comparable value')
}

/** LIKE with backslash as escape, without regard to case. */
const toExpression = (pattern: string): RegExp => {
  const source = [...pattern.matchAll(/\\(.)|([\s\S])/gu)].map(([, escaped, plain]) => {
    if (escaped !== undefined) return escapeExpression(escaped)
    if (plain === '%') return '[\\s\\S]*'
    return plain === '_' ? '[\\s\\S]' : escapeExpression(plain ?? '')
  })
  return new RegExp(`^${source.join('')}$`, 'iu')
}

const escapeExpression = (character: string): string => character.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const contains = (value: unknown, wanted: unknown): boolean => {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) && wanted.every((item) => value.some((candidate) => contains(candidate, item)))
    )
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.entries(wanted).every(
      ([key, item]) => key in value && contains(Reflect.get(value, key), item),
    )
  }
  return value === wanted
}
