/** Column values → INSERT, UPDATE and DELETE, each within one environment. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { ANY_ENVIRONMENT } from './environment.ts'
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'

/** Column → value; objects and arrays are jsonb. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** pg would write an array as a PostgreSQL array; all of ours are jsonb. */
export const toParameter = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value

/** Gives the new row. */
export const insertRow = (table: string, environmentId: number, values: ColumnValues): Statement => {
  const entries = Object.entries({ environment_id: environmentId, ...values })
  const columns = entries.map(([column]) => identifier(column)).join(', ')
  const placeholders = entries.map((_entry, at) => `$${at + 1}`).join(', ')
  return {
    text: `INSERT INTO ${identifier(table)} (${columns}) VALUES (${placeholders}) RETURNING *`,
    values: entries.map(([, value]) => toParameter(value)),
  }
}

/** `values` must not be empty. Gives the row as it is after. */
export const updateRow = (
  table: string,
  environmentId: number,
  number: number,
  values: ColumnValues,
): Statement => {
  const entries = Object.entries(values)
  const assignments = entries.map(([column], at) => `${identifier(column)} = $${at + 3}`).join(', ')
  return {
    text: `UPDATE ${identifier(table)} SET ${assignments} WHERE environment_id = ${ANY_ENVIRONMENT} AND id = $2 RETURNING *`,
    values: [environmentId, number, ...entries.map(([, value]) => toParameter(value))],
  }
}

export const deleteRow = (table: string, environmentId: number, number: number): Statement => ({
  text: `DELETE FROM ${identifier(table)} WHERE environment_id = ${ANY_ENVIRONMENT} AND id = $2 RETURNING id`,
  values: [environmentId, number],
})

/** All columns of a row, or these; with `isLocked` nobody else changes it until the transaction ends. */
export const selectRow = (
  table: string,
  environmentId: number,
  number: number,
  isLocked: boolean,
  columns?: readonly string[],
): Statement => ({
  text: `SELECT ${listOf(columns)} FROM ${identifier(table)} WHERE environment_id = ${ANY_ENVIRONMENT} AND id = $2${isLocked ? ' FOR UPDATE' : ''}`,
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

const listOf = (columns: readonly string[] | undefined): string =>
  columns === undefined ? '*' : columns.map(identifier).join(', ')

const matching = (environmentId: number, where: ColumnValues) => {
  const entries = Object.entries(where)
  const conditions = entries.map(([column], at) => `${qualified('t', column)} = $${at + 2}`)
  return {
    conditions: [`t.environment_id = ${ANY_ENVIRONMENT}`, ...conditions].join(' AND '),
    values: [environmentId, ...entries.map(([, value]) => toParameter(value))],
  }
}

/** The links of a set stored in a table between two types. */
export const replaceLinks = (
  through: { readonly table: string; readonly from: string; readonly to: string },
  environmentId: number,
  number: number,
  targets: readonly number[],
): readonly Statement[] => {
  const table = identifier(through.table)
  const [from, to] = [identifier(through.from), identifier(through.to)]
  const clear = {
    text: `DELETE FROM ${table} WHERE environment_id = $1 AND ${from} = $2 AND NOT ${to} = ANY($3::bigint[])`,
    values: [environmentId, number, targets],
  }
  const fill = {
    text: `INSERT INTO ${table} (environment_id, ${from}, ${to})
      SELECT $1, $2, target FROM unnest($3::bigint[]) AS target
      WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE environment_id = $1 AND ${from} = $2 AND ${to} = target)`,
    values: [environmentId, number, targets],
  }
  return [clear, fill]
}

/** A row as it will be: what was stored, overlaid with what is written. */
export const overlay = (row: Row | undefined, values: ColumnValues): Row => ({ ...row, ...values })
