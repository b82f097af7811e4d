/** Lookups of writes: rows by number, by column values, by many keys; each within one environment. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ColumnValues } from './column-values.ts'
import { ANY_ENVIRONMENT } from './environment.ts'
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'
import { recordset } from './recordset.ts'
import { ROW_VERSION_COLUMN } from './selection.ts'

/** All columns of a row, or these; with `isLocked` nobody else changes it until the transaction ends. */
export const selectRow = (
  table: string,
  environmentId: number,
  number: number,
  isLocked: boolean,
  columns?: readonly string[],
  hasVersion = false,
): Statement => ({
  text: `SELECT ${listOf(columns)}${hasVersion ? `, xmin::text AS ${ROW_VERSION_COLUMN}` : ''} FROM ${identifier(table)} WHERE environment_id = ${ANY_ENVIRONMENT} AND id = $2${isLocked ? ' FOR UPDATE' : ''}`,
  values: [environmentId, number],
})

/** At most two rows with these column values: enough to see whether there is exactly one. */
export const selectWhere = (
  definition: ResourceDefinition,
  environmentId: number,
  where: ColumnValues,
  columns?: readonly string[],
): Statement => {
  const { conditions, values } = matching(environmentId, where)
  return {
    text: `SELECT ${listOf(columns)} FROM ${identifier(definition.table)} AS t WHERE ${conditions} ORDER BY id LIMIT 2`,
    values,
  }
}

export const countWhere = (
  definition: ResourceDefinition,
  environmentId: number,
  where: ColumnValues,
): Statement => {
  const { conditions, values } = matching(environmentId, where)
  return {
    text: `SELECT count(*) AS count FROM ${identifier(definition.table)} AS t WHERE ${conditions}`,
    values,
  }
}

/** pg would write an array as a PostgreSQL array; all of ours are jsonb. */
const toParameter = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value

const listOf = (columns: readonly string[] | undefined): string =>
  columns === undefined ? '*' : columns.map(identifier).join(', ')

const matching = (environmentId: number, where: ColumnValues) => {
  const entries = Object.entries(where)
  const valued = entries.filter(([, value]) => value !== null)
  const empty = entries.filter(([, value]) => value === null)
  const conditions = [
    ...valued.map(([column], at) => `${qualified('t', column)} = $${at + 2}`),
    ...empty.map(([column]) => `${qualified('t', column)} IS NULL`),
  ]
  return {
    conditions: [`t.environment_id = ${ANY_ENVIRONMENT}`, ...conditions].join(' AND '),
    values: [environmentId, ...valued.map(([, value]) => toParameter(value))],
  }
}

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
        SELECT found.id FROM ${recordset(table, '$2')} CROSS JOIN LATERAL (
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
