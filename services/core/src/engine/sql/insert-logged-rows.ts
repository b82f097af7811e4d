/**
 * Many new rows and a version of each in one statement. What the versions tell is taken from the rows as PostgreSQL stored
 * them, so that nothing is sent twice; only public ids, which PostgreSQL cannot make, come from here.
 */
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'
import type { ColumnValues } from './write-statements.ts'

/** A column whose values the versions have; of a key, what the numbers in it are called outside. */
export interface LoggedColumn {
  readonly name: string
  readonly column: string
  readonly kind?: string
  readonly ids?: ReadonlyMap<number, string>
  /** Whether some of the rows may have none. */
  readonly isNullable: boolean
}

export interface LoggedRows {
  readonly table: string
  readonly type: string
  readonly environmentId: number
  /** All have the same columns; `id` is one of them. */
  readonly rows: readonly ColumnValues[]
  /** Public ids, row by row. */
  readonly ids: readonly string[]
  readonly logged: readonly LoggedColumn[]
  readonly who: unknown
  /** Columns of the new rows that the statement gives; none gives no rows. */
  readonly returning: readonly string[]
}

/** jsonb_build_object takes 100 arguments. */
const FIELDS_OF_OBJECT_MAX = 50

export const insertLoggedRows = (write: LoggedRows): Statement => {
  const { table, rows, ids, logged, returning } = write
  const values: unknown[] = [write.environmentId, JSON.stringify(rows)]
  const add = (value: unknown, type: string): string => `$${values.push(value)}::${type}`
  const columns = Object.keys(rows[0] ?? {}).map(identifier)
  const joins = [
    joinIds(
      'named',
      'id',
      rows.map(({ id }) => id),
      ids,
      add,
    ),
  ]
  const fields = logged.map((field, at) => ({ field, value: valueOf(field, `target_${at}`, joins, add) }))
  const read = new Set(['id', ...returning, ...logged.map(({ column }) => column)])
  const text = `WITH written AS (
      INSERT INTO ${identifier(table)} (environment_id, ${columns.join(', ')})
      SELECT $1, ${columns.map((column) => `r.${column}`).join(', ')}
      FROM json_populate_recordset(NULL::${identifier(table)}, $2::json) AS r
      RETURNING ${[...read].map(identifier).join(', ')}
    ), logged AS (
      INSERT INTO versions (environment_id, resource_type, record_id, resource_id, event, changes, who)
      SELECT $1, ${add(write.type, 'text')}, written.id, named.public_id, 'create', ${changesOf(fields)},
        ${add(JSON.stringify(write.who), 'jsonb')}
      FROM written ${joins.join('\n        ')}
      ORDER BY written.id
    )
    SELECT ${returning.map(identifier).join(', ')} FROM written${returning.length === 0 ? ' LIMIT 0' : ''}`
  return { text, values }
}

type Add = (value: unknown, type: string) => string

const joinIds = (
  alias: string,
  column: string,
  numbers: readonly unknown[],
  ids: readonly string[],
  add: Add,
): string =>
  `LEFT JOIN unnest(${add(numbers, 'bigint[]')}, ${add(ids, 'text[]')}) AS ${alias} (number, public_id)
          ON ${alias}.number = ${qualified('written', column)}`

/** One target needs no table to look it up in. */
const valueOf = ({ column, kind, ids }: LoggedColumn, alias: string, joins: string[], add: Add): string => {
  const stored = qualified('written', column)
  if (ids === undefined) return loggedValue(stored, kind)
  const [only, ...more] = ids.values()
  if (more.length === 0) return add(only, 'text')
  joins.push(joinIds(alias, column, [...ids.keys()], [...ids.values()], add))
  return `${alias}.public_id`
}

/** Instants in the form that JSON has of ours, and numbers as JavaScript would write them. */
const loggedValue = (stored: string, kind: string | undefined): string => {
  if (kind === 'instant') return `to_char(${stored} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return kind === 'float' ? `${stored}::double precision` : stored
}

interface Valued {
  readonly field: LoggedColumn
  readonly value: string
}

const changesOf = (fields: readonly Valued[]): string => {
  const certain = fields.filter(({ field }) => !field.isNullable).map(pairOf)
  const objects = certain.length === 0 ? [`'{}'::jsonb`] : []
  for (let from = 0; from < certain.length; from += FIELDS_OF_OBJECT_MAX) {
    objects.push(`jsonb_build_object(${certain.slice(from, from + FIELDS_OF_OBJECT_MAX).join(', ')})`)
  }
  for (const valued of fields) {
    if (!valued.field.isNullable) continue
    const stored = qualified('written', valued.field.column)
    objects.push(`CASE WHEN ${stored} IS NULL THEN '{}' ELSE jsonb_build_object(${pairOf(valued)}) END`)
  }
  return objects.join('\n          || ')
}

/** A name that is no identifier would not be quoted. */
const pairOf = ({ field: { name }, value }: Valued): string =>
  `'${identifier(name).slice(1, -1)}', jsonb_build_array(NULL, ${value})`
