/** A test on a field of a row → SQL. */
import { polymorphicKeyOf } from '@merx/jsonapi/columns'
import { valueKindOfField } from '@merx/jsonapi/filter-fields'
import type { FieldTest } from '@merx/jsonapi/query'
import { testColumn, testPolymorphic } from './conditions.ts'
import { columnOfField, qualified } from './identifiers.ts'
import type { Params } from './params.ts'

/** `alias` is the row that has the field. */
export const testField = ({ path, test }: FieldTest, alias: string, params: Params): string => {
  const { field } = path
  if (field.kind === 'polymorphicKey') {
    const key = polymorphicKeyOf(field.name, field.relationship)
    return testPolymorphic({ type: qualified(alias, key.type), id: qualified(alias, key.id) }, test, params)
  }
  return (
    testCodePrefix({ path, test }, alias, params) ??
    testEmail({ path, test }, alias, params) ??
    testColumn(qualified(alias, columnOfField(field)), valueKindOfField(field), test, params)
  )
}

/** The prefix of a SKU's code, written as the index on lower(code) needs it; ILIKE means the same, but has no index. */
const testCodePrefix = ({ path, test }: FieldTest, alias: string, params: Params): string | undefined => {
  const { on, field } = path
  if (on.type !== 'skus' || field.kind !== 'attribute' || field.name !== 'code') return undefined
  if (test.kind !== 'like' || test.isNegated) return undefined
  const [pattern, ...more] = test.patterns
  if (pattern === undefined || more.length > 0 || !isPrefixPattern(pattern)) return undefined
  return `lower(${qualified(alias, 'code')}) LIKE lower(${params.add(pattern, 'text')})`
}

/** A literal start and one `%` at the end, as in `AB\\_%`. */
export const isPrefixPattern = (pattern: string): boolean => /^(?:[^\\%_]|\\.)+%$/su.test(pattern)

/** The index of emails is one without regard to case, so that both are asked. */
const testEmail = ({ path, test }: FieldTest, alias: string, params: Params): string | undefined => {
  const { on, field } = path
  if (on.type !== 'customers' || field.kind !== 'attribute' || field.name !== 'email') return undefined
  if (test.kind !== 'compare' || test.comparison !== 'eq' || test.orNull || test.quantifier !== 'any')
    return undefined
  const column = qualified(alias, 'email')
  const emails = params.add(test.values, 'text[]')
  const lowered = `ARRAY(SELECT lower(email) FROM unnest(${emails}) AS email)`
  return `(${column} = ANY(${emails}) AND lower(${column}) = ANY(${lowered}))`
}
