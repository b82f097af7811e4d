/** Many rows per statement. Values travel as one JSON parameter and take the types of the table's columns. */
import { ANY_ENVIRONMENT } from './environment.ts'
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'
import type { ColumnValues } from './write-statements.ts'

/**
 * These columns, or all, of the rows of an environment whose column has one of the values, all texts or all numbers. Each value is
 * looked up by itself: of an environment that grew since its statistics were made, PostgreSQL would rather read all.
 */
export const selectAmong = (
  table: string,
  environmentId: number,
  column: string,
  values: readonly (string | number)[],
  columns?: readonly string[],
): Statement => {
  const type = typeof values[0] === 'number' ? 'bigint' : 'text'
  return {
    text: `SELECT t.* FROM unnest($2::${type}[]) AS wanted (value) CROSS JOIN LATERAL (
      SELECT ${columns?.map((name) => qualified('t', name)).join(', ') ?? 't.*'} FROM ${identifier(table)} AS t
      WHERE t.environment_id = ${ANY_ENVIRONMENT} AND ${sameValue(column, 'wanted.value')} OFFSET 0) AS t`,
    values: [environmentId, values],
  }
}

/**
 * The rows that have all column values of one of the keys; nobody else changes them until the transaction ends. They are
 * locked in the order of their numbers, whatever the order of the keys, so that two who want the same do not wait for each
 * other.
 */
export const lockAmong = (
  table: string,
  environmentId: number,
  columns: readonly string[],
  keys: readonly ColumnValues[],
): Statement => {
  const same = columns.map((column) => sameValue(column, qualified('r', column)))
  return {
    text: `SELECT t.* FROM ${identifier(table)} AS t
      WHERE t.environment_id = ${ANY_ENVIRONMENT} AND t.id = ANY (ARRAY(
        SELECT found.id FROM ${recordset(table)} CROSS JOIN LATERAL (
          SELECT t.id FROM ${identifier(table)} AS t WHERE t.environment_id = ${ANY_ENVIRONMENT} AND ${same.join(' AND ')} OFFSET 0) AS found))
      ORDER BY t.id FOR UPDATE OF t`,
    values: [environmentId, JSON.stringify(keys)],
  }
}

/** Of `t`. Addresses of mail are stored in lower case, and indexed as that. */
const sameValue = (column: string, value: string): string => {
  const stored = qualified('t', column)
  return column === 'email' ? `lower(${stored}) = ${value} AND ${stored} = ${value}` : `${stored} = ${value}`
}

/** Gives these columns of the new rows. All rows must have the same columns; `id` is one of them. */
export const insertRows = (
  table: string,
  environmentId: number,
  rows: readonly ColumnValues[],
  returning: readonly string[],
): Statement => {
  const columns = Object.keys(rows[0] ?? {}).map(identifier)
  return {
    text: `INSERT INTO ${identifier(table)} (environment_id, ${columns.join(', ')})
      SELECT $1, ${columns.map((column) => `r.${column}`).join(', ')} FROM ${recordset(table)}
      RETURNING ${returning.map(identifier).join(', ')}`,
    values: [environmentId, JSON.stringify(rows)],
  }
}

/** Gives these columns of the rows as they are after. All must have the same columns, and one besides `id`. */
export const updateRows = (
  table: string,
  environmentId: number,
  rows: readonly ColumnValues[],
  returning: readonly string[],
): Statement => {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id')
  const assignments = columns.map((column) => `${identifier(column)} = r.${identifier(column)}`)
  return {
    text: `UPDATE ${identifier(table)} AS t SET ${assignments.join(', ')} FROM ${recordset(table)}
      WHERE t.environment_id = ${ANY_ENVIRONMENT} AND t.id = r.id
      RETURNING ${returning.map((column) => qualified('t', column)).join(', ')}`,
    values: [environmentId, JSON.stringify(rows)],
  }
}

/** `$2`, a JSON list of rows, as rows of the table's type. */
const recordset = (table: string): string =>
  `json_populate_recordset(NULL::${identifier(table)}, $2::json) AS r`

/** Numbers that nobody else gets, ascending. */
export const reserveNumbers = (table: string, count: number): Statement => ({
  text: `SELECT nextval(numbers.sequence) AS id
    FROM (SELECT pg_get_serial_sequence($1, 'id')::regclass AS sequence OFFSET 0) AS numbers, generate_series(1, $2)`,
  values: [table, count],
  name: 'reserve_numbers',
})
