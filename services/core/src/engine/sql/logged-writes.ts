/**
 * One row, its version and its events in one statement, which is a transaction of its own: an INSERT or UPDATE whose
 * row goes on to the change log and to the caller.
 */
import { isWorthAVersion } from '../change-log/change-log.ts'
import type { DescribedChange, GivenField } from '../change-log/change-log.ts'
import { ANY_ENVIRONMENT } from './environment.ts'
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'
import { preparedAs } from './statement-names.ts'
import { toParameter } from './write-statements.ts'
import type { ColumnValues } from './write-statements.ts'

export interface LoggedWrite {
  readonly table: string
  readonly environmentId: number
  /** Column → value; must not be empty. */
  readonly values: ColumnValues
  /** Columns of the row that the statement gives. */
  readonly returning: readonly string[]
  readonly change: DescribedChange
  readonly who: unknown
}

/** The first parameters of both statements. */
const ENVIRONMENT = '$1::bigint'
const NUMBER = '$2::bigint'

interface Parameters {
  readonly values: readonly unknown[]
  add(value: unknown): string
}

const parametersOf = ({ environmentId, change }: LoggedWrite): Parameters => {
  const values: unknown[] = [environmentId, change.record_id]
  return { values, add: (value) => `$${values.push(value)}` }
}

/** `given` are logged attributes without a value of ours: what the database gives them is logged too. */
export const insertLogged = (write: LoggedWrite, given: readonly GivenField[]): Statement => {
  const parameters = parametersOf(write)
  const columns = ['environment_id', 'id']
  const placeholders = [ENVIRONMENT, NUMBER]
  for (const [column, value] of Object.entries(write.values)) {
    columns.push(identifier(column))
    placeholders.push(parameters.add(toParameter(value)))
  }
  const row = `INSERT INTO ${identifier(write.table)} (${columns.join(', ')}) VALUES (${placeholders.join(', ')})`
  return withLog(row, write, givenChanges(given), parameters)
}

/**
 * Gives no row when the row is not the one that was seen any more, or is gone: then nothing is written.
 * `rowVersion` is the `xmin` of the row that was seen.
 */
export const updateLogged = (write: LoggedWrite, rowVersion: string): Statement => {
  const parameters = parametersOf(write)
  const assignments = Object.entries(write.values).map(
    ([column, value]) => `${identifier(column)} = ${parameters.add(toParameter(value))}`,
  )
  const row = `UPDATE ${identifier(write.table)} SET ${assignments.join(', ')} WHERE environment_id = ${ANY_ENVIRONMENT}
      AND id = ${NUMBER} AND xmin = ${parameters.add(rowVersion)}::text::xid`
  return withLog(row, write, '', parameters)
}

const withLog = (
  row: string,
  { returning, change, who }: LoggedWrite,
  given: string,
  parameters: Parameters,
): Statement => {
  const parts = [`written AS (${row} RETURNING ${returning.map(identifier).join(', ')})`]
  if (isWorthAVersion(change)) {
    const type = `${parameters.add(change.resource_type)}::text`
    const id = `${parameters.add(change.resource_id)}::text`
    const changes = `${parameters.add(JSON.stringify(change.changes))}::jsonb`
    parts.push(`logged AS (
      INSERT INTO versions (environment_id, resource_type, record_id, resource_id, event, changes, who)
      SELECT ${ENVIRONMENT}, ${type}, ${NUMBER}, ${id}, '${change.event}', ${changes}${given},
        ${parameters.add(JSON.stringify(who))}::jsonb
      FROM written)`)
  }
  if (change.events.length > 0) {
    const type = `${parameters.add(change.resource_type)}::text`
    parts.push(`happened AS (
      INSERT INTO events (environment_id, name, resource_type, record_id)
      SELECT ${ENVIRONMENT}, happening.topic, ${type}, ${NUMBER}
      FROM written, unnest(${parameters.add(change.events)}::text[]) AS happening (topic))`)
  }
  const text = `WITH ${parts.join(',\n    ')}\n    SELECT * FROM written`
  return { text, values: parameters.values, ...preparedAs(text) }
}

/** Instants in the form that JSON has of ours. */
const givenChanges = (given: readonly GivenField[]): string => {
  const values = given.map(({ name, column, kind }) => {
    const stored = qualified('written', column)
    const value =
      kind === 'instant' ? `to_char(${stored} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : stored
    return `('${identifier(name).slice(1, -1)}', to_jsonb(${value}))`
  })
  if (values.length === 0) return ''
  return ` || (SELECT coalesce(jsonb_object_agg(given.name, jsonb_build_array(NULL, given.value)), '{}')
        FROM (VALUES ${values.join(', ')}) AS given (name, value) WHERE given.value IS NOT NULL)`
}
