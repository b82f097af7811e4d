import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Reading } from '../read/read-includes.ts'
import type { ColumnValues } from '../sql/write-statements.ts'

/** Of a type that shares a table: the column that says which of its members a row is. */
export const familyColumns = (
  { type, memberOf }: ResourceDefinition,
  { registry }: Pick<Reading, 'registry'>,
): ColumnValues => {
  const typeColumn = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  return typeColumn === undefined ? {} : { [typeColumn]: type }
}
