/** A test on a field of a row → SQL. */
import { polymorphicKeyOf } from '@merx/jsonapi/columns'
import { valueKindOfField } from '@merx/jsonapi/filter-fields'
import type { FieldTest } from '@merx/jsonapi/query'
import { codeStartPattern } from './code-start.ts'
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
    testCodeStart({ path, test }, alias, params) ??
    testColumn(qualified(alias, columnOfField(field)), valueKindOfField(field), test, params)
  )
}

/** The start of a SKU's code, in the words of its index; ILIKE means the same, but has none. */
const testCodeStart = (fieldTest: FieldTest, alias: string, params: Params): string | undefined => {
  if (fieldTest.path.on.type !== 'skus') return undefined
  const pattern = codeStartPattern(fieldTest)
  if (pattern === undefined) return undefined
  return `lower(${qualified(alias, 'code')}) LIKE lower(${params.add(pattern, 'text')})`
}
