/** One filter test on one column → SQL. Values only as parameters; the column text comes from a definition. */
import type { ValueKind } from '@merx/jsonapi/predicates'
import type { FilterScalar, FilterTest, PolymorphicKey } from '@merx/jsonapi/query'
import type { Params, SqlType } from './params.ts'

/** Types of parameters per kind; integers as numeric would miss the indexes. */
const TYPES: Readonly<Record<Exclude<ValueKind, 'object' | 'list'>, { one: SqlType; many: SqlType }>> = {
  text: { one: 'text', many: 'text[]' },
  integer: { one: 'bigint', many: 'bigint[]' },
  float: { one: 'numeric', many: 'numeric[]' },
  boolean: { one: 'boolean', many: 'boolean[]' },
  instant: { one: 'timestamptz', many: 'timestamptz[]' },
  id: { one: 'bigint', many: 'bigint[]' },
}

const OPERATORS = { eq: '=', not_eq: '<>', lt: '<', lteq: '<=', gt: '>', gteq: '>=' } as const

/** `column` is qualified and quoted by the caller, for example `t.code`. */
export const testColumn = (column: string, kind: ValueKind, test: FilterTest, params: Params): string => {
  switch (test.kind) {
    case 'null':
      return `${column} IS ${test.expected ? '' : 'NOT '}NULL`
    case 'blank':
      return test.expected ? isBlank(column, kind) : `NOT ${isBlank(column, kind)}`
    case 'containsJson':
      return `${column} @> ${params.add(JSON.stringify(test.value), 'jsonb')}`
    case 'like': {
      const operator = test.isNegated ? 'NOT ILIKE' : 'ILIKE'
      const [only, ...more] = test.patterns
      if (more.length === 0) return `${column} ${operator} ${params.add(only, 'text')}`
      return `${column} ${operator} ${test.quantifier}(${params.add(test.patterns, 'text[]')})`
    }
    case 'compare': {
      if (kind === 'object' || kind === 'list') throw new Error(`${kind} columns are never compared`)
      const compared = compare(column, TYPES[kind], test, params)
      return test.orNull ? `(${compared} OR ${column} IS NULL)` : compared
    }
  }
}

/** The two columns of a polymorphic relationship against ids of several types. */
export const testPolymorphic = (
  columns: { readonly type: string; readonly id: string },
  test: FilterTest,
  params: Params,
): string => {
  if (test.kind === 'null' || test.kind === 'blank')
    return `${columns.id} IS ${test.expected ? '' : 'NOT '}NULL`
  if (test.kind !== 'compare' || (test.comparison !== 'eq' && test.comparison !== 'not_eq')) return 'false'
  const keys = test.values.filter(isPolymorphicKey)
  const types = params.add(
    keys.map(({ type }) => type),
    'text[]',
  )
  const numbers = params.add(
    keys.map(({ number }) => number),
    'bigint[]',
  )
  const among = `(${columns.type}, ${columns.id}) IN (SELECT * FROM unnest(${types}, ${numbers}))`
  const compared = test.comparison === 'eq' ? among : `(${columns.id} IS NOT NULL AND NOT ${among})`
  return test.orNull ? `(${compared} OR ${columns.id} IS NULL)` : compared
}

const compare = (
  column: string,
  types: { readonly one: SqlType; readonly many: SqlType },
  test: Extract<FilterTest, { kind: 'compare' }>,
  params: Params,
): string => {
  const operator = OPERATORS[test.comparison]
  const [only, ...more] = test.values
  if (only !== undefined && more.length === 0) return `${column} ${operator} ${params.add(only, types.one)}`
  return `${column} ${operator} ${test.quantifier}(${params.add(test.values, types.many)})`
}

const isBlank = (column: string, kind: ValueKind): string => {
  switch (kind) {
    case 'text':
      return `(${column} IS NULL OR ${column} = '')`
    case 'object':
    case 'list':
      return `(${column} IS NULL OR ${column} IN ('{}', '[]', 'null'))`
    case 'integer':
    case 'float':
    case 'boolean':
    case 'instant':
    case 'id':
      return `(${column} IS NULL)`
  }
}

const isPolymorphicKey = (value: FilterScalar): value is PolymorphicKey =>
  typeof value === 'object' && !(value instanceof Date)
