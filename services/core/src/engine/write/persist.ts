/** Validated rows → one statement per type, operation and set of columns, each with the versions and events of its rows. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { describeChanges, givenFields } from '../change-log/describe-change.ts'
import type { ChangeLogContext } from '../change-log/log-changes.ts'
import type { ColumnValues } from '../sql/column-values.ts'
import { insertLog } from '../sql/log-changes.ts'
import type { Statement } from '../sql/params.ts'
import { reserveNumbers } from '../sql/reserve-numbers.ts'
import { deleteRows, insertRows, updateRows } from '../sql/write-rows.ts'
import type { RowsToInsert, RowsToUpdate } from '../sql/write-rows.ts'

export interface RowWrite {
  readonly definition: ResourceDefinition
  /** Of a new row, when its number was reserved already. */
  readonly number?: number
  /** The row as it was read; undefined when it is new. */
  readonly before: Row | undefined
  /** The columns to write; undefined deletes the row. */
  readonly columns: ColumnValues | undefined
  /** Topics of the events that the write emits; the area of the type lists each of them. */
  readonly topics?: readonly string[]
}

export interface PersistContext extends ChangeLogContext {
  /** The columns of the written rows that are returned. Default: all. */
  readonly returning?: readonly string[]
}

/** Guards for a row that is written without a lock. */
export type PersistOptions = Pick<RowsToInsert, 'skipsConflicts' | 'key'> &
  Pick<RowsToUpdate, 'rowVersion' | 'expected'>

/**
 * The rows as they are written, in the order of the writes; undefined for those that were not written because of an
 * option, and for all when no columns are returned. Throws what PostgreSQL refuses as it is.
 */
export const persist = async (
  writes: readonly RowWrite[],
  context: PersistContext,
  options: PersistOptions = {},
): Promise<readonly (Row | undefined)[]> => {
  const rows = await withNumbers(writes, context)
  const written = new Map<NumberedWrite, Row | undefined>()
  const write = async (group: readonly NumberedWrite[]): Promise<void> => {
    const statement = statementOf(group, context, options)
    const found = statement === undefined ? [] : await context.run(statement)
    const byNumber = new Map(found.map((row) => [row['id'], row]))
    for (const row of group) written.set(row, isUnchanged(row) ? row.before : byNumber.get(row.number))
  }
  // Sent at once; a transaction runs them in this order.
  await Promise.all([...Map.groupBy(rows, groupOf).values()].map(write))
  return rows.map((row) => written.get(row))
}

interface NumberedWrite extends RowWrite {
  readonly number: number
}

/** Existing rows have numbers; new ones get the next. */
const withNumbers = async (
  writes: readonly RowWrite[],
  { run }: PersistContext,
): Promise<readonly NumberedWrite[]> => {
  const isUnnumbered = ({ before, number }: RowWrite): boolean => before === undefined && number === undefined
  const tables = Map.groupBy(writes.filter(isUnnumbered), ({ definition }) => definition.table)
  const reserve = async ([table, group]: [string, RowWrite[]]): Promise<[string, Row[]]> => [
    table,
    [...(await run(reserveNumbers(table, group.length)))],
  ]
  const reserved = new Map(await Promise.all([...tables].map(reserve)))
  return writes.map((write) => ({
    ...write,
    number: write.number ?? numberOf(write.before ?? reserved.get(write.definition.table)?.shift() ?? {}),
  }))
}

export const numberOf = ({ id }: Row): number => {
  if (typeof id !== 'number') throw new TypeError('a row has no number')
  return id
}

const operationOf = ({ before, columns }: RowWrite): 'insert' | 'update' | 'delete' =>
  columns === undefined ? 'delete' : before === undefined ? 'insert' : 'update'

const groupOf = (write: RowWrite): string =>
  `${write.definition.type} ${operationOf(write)} ${Object.keys(write.columns ?? {}).join()}`

const isUnchanged = ({ before, columns }: RowWrite): boolean =>
  before !== undefined && columns !== undefined && Object.keys(columns).length === 0

/** Only the events of rows that do not change; undefined when there are none. */
const statementOf = (
  group: readonly NumberedWrite[],
  {
    registry,
    environmentId,
    actor,
    returning = 'all',
  }: Omit<PersistContext, 'returning'> & {
    readonly returning?: readonly string[] | 'all'
  },
  options: PersistOptions,
): Statement | undefined => {
  const [first] = group
  if (first === undefined) return undefined
  const { definition } = first
  const operation = operationOf(first)
  const changes = group.map(({ number, before, columns, topics }) => ({
    definition,
    number,
    before,
    after: columns === undefined ? undefined : { ...before, ...columns },
    ...(topics === undefined ? {} : { topics }),
  }))
  if (isUnchanged(first))
    return insertLog(environmentId, { changes: describeChanges(changes, registry), actor })
  const write = {
    table: definition.table,
    environmentId,
    rows: group.map(({ number, columns }) => ({ id: number, ...columns })),
    returning,
    log: {
      changes: describeChanges(changes, registry),
      actor,
      given: operation === 'insert' ? givenFields(definition, first.columns ?? {}) : [],
    },
  }
  switch (operation) {
    case 'insert':
      return insertRows({ ...write, ...options })
    case 'update':
      return updateRows({ ...write, ...options })
    case 'delete':
      return deleteRows(write)
  }
}
