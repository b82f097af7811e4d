/** A test on a field of a row → SQL. */
import { polymorphicKeyOf } from '@merx/jsonapi/columns'
import { valueKindOfField } from '@merx/jsonapi/filter-fields'
import type { FieldTest } from '@merx/jsonapi/query'
import { testColumn, testPolymorphic } from './conditions.ts'
import { columnOfField, qualified } from './identifiers.ts'
import type { Build } from './relations.ts'

/** `alias` is the row that has the field. */
export const testField = (fieldTest: FieldTest, alias: string, build: Build): string => {
  const { path, test } = fieldTest
  const { field } = path
  const { params } = build
  if (field.kind === 'polymorphicKey') {
    const key = polymorphicKeyOf(field.name, field.relationship)
    return testPolymorphic({ type: qualified(alias, key.type), id: qualified(alias, key.id) }, test, params)
  }
  return (
    testLowerIndex(fieldTest, alias, build) ??
    testColumn(qualified(alias, columnOfField(field)), valueKindOfField(field), test, params)
  )
}

/** A test of a column with an index on lower(column), written so that PostgreSQL uses that index. */
const testLowerIndex = ({ path, test }: FieldTest, alias: string, build: Build): string | undefined => {
  const { on, field } = path
  if (field.kind !== 'attribute') return undefined
  const column = columnOfField(field)
  switch (build.registry.facts.lowerIndexes[on.type]?.[column]) {
    case 'prefix':
      return testPrefix(qualified(alias, column), test, build)
    case 'equality':
      return testEquality(qualified(alias, column), test, build)
    case undefined:
      return undefined
  }
}

/** ILIKE means the same, but has no index. */
const testPrefix = (column: string, test: FieldTest['test'], { params }: Build): string | undefined => {
  if (test.kind !== 'like' || test.isNegated) return undefined
  const [pattern, ...more] = test.patterns
  if (pattern === undefined || more.length > 0 || !isPrefixPattern(pattern)) return undefined
  return `lower(${column}) LIKE lower(${params.add(pattern, 'text')})`
}

/** A literal start and one `%` at the end, as in `AB\\_%`. */
export const isPrefixPattern = (pattern: string): boolean => /^(?:[^\\%_]|\\.)+%$/su.test(pattern)

/** The value itself decides; its lower case is what the index finds. */
const testEquality = (column: string, test: FieldTest['test'], { params }: Build): string | undefined => {
  if (test.kind !== 'compare' || test.comparison !== 'eq' || test.orNull || test.quantifier !== 'any')
    return undefined
  const values = params.add(test.values, 'text[]')
  const lowered = `ARRAY(SELECT lower(value) FROM unnest(${values}) AS value)`
  return `(${column} = ANY(${values}) AND lower(${column}) = ANY(${lowered}))`
}
