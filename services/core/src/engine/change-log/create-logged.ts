/** New rows of one type with the same columns → stored with their versions by one statement, and the events that come of it. */
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../registry.ts'
import { insertLoggedRows } from '../sql/insert-logged-rows.ts'
import type { LoggedColumn } from '../sql/insert-logged-rows.ts'
import type { ColumnValues } from '../sql/write-statements.ts'
import { givenFields, logEvents, loggedFields } from './change-log.ts'
import type { ChangeLogContext, LoggedField } from './change-log.ts'
import { emitsAtCreation, topicsOf } from './topics.ts'

/** Whether PostgreSQL can tell what a version says of a new row; a relationship of several types takes more. */
export const isLoggedByStatement = (definition: ResourceDefinition): boolean =>
  loggedFields(definition).every(({ column, key }) => column !== undefined || key !== undefined)

/** Each row has its number. What PostgreSQL refuses is thrown as it is. */
export const createLogged = async (
  definition: ResourceDefinition,
  rows: readonly ColumnValues[],
  context: ChangeLogContext,
): Promise<void> => {
  const { run, registry, environmentId, who } = context
  const numbers = rows.map(({ id }) => Number(id))
  const given = givenFields(definition, rows[0] ?? {})
  const mayHappen = emitsAtCreation(definition.type, registry)
  const statement = insertLoggedRows({
    table: definition.table,
    type: definition.type,
    environmentId,
    rows,
    ids: [...publicIds(definition, numbers, registry).values()],
    logged: [
      ...loggedFields(definition).flatMap((field) => loggedColumn(field, rows, registry)),
      ...given.map((field) => ({ ...field, isNullable: true })),
    ],
    who,
    returning: mayHappen ? ['id', ...given.map(({ column }) => column)] : [],
  })
  const stored = new Map((await run(statement)).map((row) => [row['id'], row]))
  if (!mayHappen) return
  const events = rows.flatMap((row) => {
    const number = Number(row['id'])
    const after = { ...row, ...stored.get(number) }
    return topicsOf({ definition, before: undefined, after }, statusOf(after), registry).map((name) => ({
      name,
      resource_type: definition.type,
      record_id: number,
    }))
  })
  await logEvents(events, context)
}

/** Of a new row, all that its events depend on. */
const statusOf = (row: Row): Readonly<Record<string, readonly [unknown, unknown]>> => ({
  status: [null, row['status']],
})

/** A column that is sent; none when it is empty in all of the rows. */
const loggedColumn = (
  { name, column, kind, key }: LoggedField,
  rows: readonly ColumnValues[],
  registry: Registry,
): readonly LoggedColumn[] => {
  const stored = column ?? key?.column
  if (stored === undefined) return []
  const values = rows.map((row) => row[stored]).filter((value) => value !== undefined && value !== null)
  if (values.length === 0) return []
  const ids =
    key === undefined
      ? undefined
      : publicIds(registry.require(key.target), [...new Set(values.map(Number))], registry)
  return [
    {
      name,
      column: stored,
      isNullable: values.length < rows.length,
      ...(kind === undefined ? {} : { kind }),
      ...(ids === undefined ? {} : { ids }),
    },
  ]
}

/** Number → public id, in the order of the numbers. */
const publicIds = (
  definition: ResourceDefinition,
  numbers: readonly number[],
  { ids }: Registry,
): ReadonlyMap<number, string> => {
  const type = idTypeOf(definition)
  ids.prepare(type, numbers)
  return new Map(numbers.map((number) => [number, ids.encode(type, number)]))
}
