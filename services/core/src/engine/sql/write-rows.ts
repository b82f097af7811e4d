/**
 * INSERT, UPDATE and DELETE of one or many rows of a table, each with the versions and events of its rows in the same
 * statement. Values travel as one JSON parameter and take the types of the table's columns.
 */
import type { GivenField } from '../change-log/describe-change.ts'
import type { ColumnValues } from './column-values.ts'
import { ANY_ENVIRONMENT } from './environment.ts'
import { keyParts } from './idempotency-keys.ts'
import type { KeyOfRow } from './idempotency-keys.ts'
import { identifier, qualified } from './identifiers.ts'
import { logParts } from './log-changes.ts'
import type { LogEntries } from './log-changes.ts'
import { createParams } from './params.ts'
import type { Params, Statement } from './params.ts'
import { recordset } from './recordset.ts'
import { preparedAs } from './statement-names.ts'

export interface RowsToWrite {
  readonly table: string
  readonly environmentId: number
  /** All have the same columns; `id` is one of them. */
  readonly rows: readonly ColumnValues[]
  /** The columns of the written rows that the statement returns, or all; with none it returns no rows. */
  readonly returning: readonly string[] | 'all'
  readonly log: LogEntries
  /** The only row is written if no other request works on the key, and the key is used with it. */
  readonly key?: KeyOfRow | undefined
}

export interface RowsToInsert extends RowsToWrite {
  /** A row that conflicts with a unique key is not written, and not logged. */
  readonly skipsConflicts?: boolean
}

export interface RowsToUpdate extends RowsToWrite {
  /** The `xmin` of the only row, as it was read: another version of it is not written, and nothing is returned. */
  readonly rowVersion?: string | undefined
  /** Texts that columns of the only row must still have, such as its state: otherwise it is not written. */
  readonly expected?: ColumnValues
}

export const insertRows = (write: RowsToInsert): Statement => {
  const params = createParams(write.environmentId)
  const columns = Object.keys(write.rows[0] ?? {}).map(identifier)
  const source = recordset(write.table, params.add(JSON.stringify(write.rows), 'json'))
  const key = write.key === undefined ? undefined : keyParts(write.key, params)
  const row = `INSERT INTO ${identifier(write.table)} (environment_id, ${columns.join(', ')})
      SELECT $1::bigint, ${columns.map((column) => `r.${column}`).join(', ')} FROM ${source}
      ${key === undefined ? '' : `WHERE ${key.condition}`}
      ${write.skipsConflicts === true ? 'ON CONFLICT DO NOTHING' : ''}`
  return withLog(row, write, params, key)
}

/** The rows have one column besides `id`. The numbers are a condition of their own, so that an index finds the rows. */
export const updateRows = (write: RowsToUpdate): Statement => {
  const params = createParams(write.environmentId)
  const columns = Object.keys(write.rows[0] ?? {}).filter((column) => column !== 'id')
  const source = recordset(write.table, params.add(JSON.stringify(write.rows), 'json'))
  const isWritten = isAmong(write.rows, params)
  const version =
    write.rowVersion === undefined ? '' : `AND t.xmin = ${params.add(write.rowVersion, 'text')}::xid`
  const isAsExpected = Object.entries(write.expected ?? {})
    .map(([column, value]) => `AND ${qualified('t', column)} = ${params.add(value, 'text')}`)
    .join(' ')
  const key = write.key === undefined ? undefined : keyParts(write.key, params)
  const row = `UPDATE ${identifier(write.table)} AS t
      SET ${columns.map((column) => `${identifier(column)} = ${qualified('r', column)}`).join(', ')} FROM ${source}
      WHERE t.environment_id = ${ANY_ENVIRONMENT} AND ${isWritten} AND t.id = r.id ${version} ${isAsExpected}
      ${key === undefined ? '' : `AND ${key.condition}`}`
  return withLog(row, write, params, key)
}

export const deleteRows = (write: RowsToWrite): Statement => {
  const params = createParams(write.environmentId)
  const isWritten = isAmong(write.rows, params)
  const row = `DELETE FROM ${identifier(write.table)} AS t
      WHERE t.environment_id = ${ANY_ENVIRONMENT} AND ${isWritten}`
  return withLog(row, write, params)
}

/** One number is compared as such: a prepared plan would expect ten of a list. */
const isAmong = (rows: readonly ColumnValues[], params: Params): string => {
  const [first, ...more] = rows.map(({ id }) => id)
  return more.length === 0
    ? `t.id = ${params.add(first, 'bigint')}`
    : `t.id = ANY (${params.add([first, ...more], 'bigint[]')})`
}

/**
 * Statements for one row are prepared; for many rows the plan depends on how many they are. One that returns all columns is
 * not: PostgreSQL refuses its plan once a migration of the next release has added a column.
 */
const withLog = (
  row: string,
  { rows, returning, log }: RowsToWrite,
  params: Params,
  key?: ReturnType<typeof keyParts>,
): Statement => {
  const written = `written AS (${row} RETURNING ${returningList(row, returning, log.given ?? [])})`
  const logged = [written, ...logParts(log, params, true)]
  const parts = key === undefined ? logged : [key.before, ...logged, key.after]
  const text = `WITH ${parts.join(',\n    ')}\n    SELECT * FROM written${returning.length === 0 ? ' LIMIT 0' : ''}`
  const isPrepared = rows.length === 1 && returning !== 'all'
  return { text, values: params.values, ...(isPrepared ? preparedAs(text) : {}) }
}

/** The rows of an UPDATE are joined to their new values, so its columns are qualified. */
const returningList = (
  row: string,
  returning: RowsToWrite['returning'],
  given: readonly GivenField[],
): string => {
  const alias = row.startsWith('INSERT') ? '' : 't.'
  if (returning === 'all') return `${alias}*`
  const columns = new Set(['id', ...returning, ...given.map(({ column }) => column)])
  return [...columns].map((column) => `${alias}${identifier(column)}`).join(', ')
}
