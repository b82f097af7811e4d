/** Described changes → the INSERTs of their versions and events, as parts of the statement that writes their rows. */
import { isWorthAVersion } from '../change-log/describe-change.ts'
import type { DescribedChange, GivenField } from '../change-log/describe-change.ts'
import { qualified } from './identifiers.ts'
import { createParams } from './params.ts'
import type { Params, Statement } from './params.ts'

export interface LogEntries {
  readonly changes: readonly DescribedChange[]
  /** Application and owner behind the write; empty when the service itself writes. */
  readonly actor: unknown
  /** Logged attributes whose values the database fills in, as defaults. */
  readonly given?: readonly GivenField[]
}

/** jsonb_build_object takes 100 arguments. */
const PAIRS_MAX = 50

/**
 * The common table expressions that insert the log. With `isJoined` they log only the rows in `written`, the expression
 * that writes them, and take the given values from it. Several entries are logged in the order of the list.
 */
export const logParts = (
  { changes, actor, given = [] }: LogEntries,
  params: Params,
  isJoined: boolean,
): readonly string[] => {
  const versions = changes.filter(isWorthAVersion).map(({ events: _events, ...version }) => version)
  const events = changes.flatMap(({ events: names, resource_type, record_id }) =>
    names.map((name) => ({ name, resource_type, record_id })),
  )
  const written = isJoined ? 'JOIN written ON written.id = entry.record_id' : ''
  const from = (entries: readonly unknown[], columns: string, names: string): string =>
    `FROM ROWS FROM (json_to_recordset(${params.add(JSON.stringify(entries), 'json')}) AS (${columns}))
        WITH ORDINALITY AS entry (${names}, position) ${written}${entries.length > 1 ? ' ORDER BY entry.position' : ''}`
  const parts: string[] = []
  if (versions.length > 0)
    parts.push(`logged AS (
      INSERT INTO versions (environment_id, resource_type, record_id, resource_id, event, changes, who)
      SELECT $1::bigint, entry.resource_type, entry.record_id, entry.resource_id, entry.event,
        entry.changes${givenChanges(given)}, ${params.add(JSON.stringify(actor), 'jsonb')}
      ${from(
        versions,
        'resource_type text, record_id bigint, resource_id text, event text, changes jsonb',
        'resource_type, record_id, resource_id, event, changes',
      )})`)
  if (events.length > 0)
    parts.push(`emitted AS (
      INSERT INTO events (environment_id, name, resource_type, record_id)
      SELECT $1::bigint, entry.name, entry.resource_type, entry.record_id
      ${from(events, 'name text, resource_type text, record_id bigint', 'name, resource_type, record_id')})`)
  return parts
}

/** The log of changes whose rows another statement wrote; undefined when there is nothing to log. */
export const insertLog = (environmentId: number, entries: LogEntries): Statement | undefined => {
  const params = createParams(environmentId)
  const parts = logParts(entries, params, false)
  return parts.length === 0
    ? undefined
    : { text: `WITH ${parts.join(',\n    ')}\n    SELECT 1`, values: params.values }
}

/** Values that are null leave no change. */
const givenChanges = (given: readonly GivenField[]): string => {
  const pairs = given.map(({ name, column, kind }) => {
    const stored = qualified('written', column)
    const change = `jsonb_build_array(NULL, ${loggedValue(stored, kind)})`
    return `${literal(name)}, CASE WHEN ${stored} IS NOT NULL THEN ${change} END`
  })
  const objects: string[] = []
  for (let from = 0; from < pairs.length; from += PAIRS_MAX)
    objects.push(`jsonb_strip_nulls(jsonb_build_object(${pairs.slice(from, from + PAIRS_MAX).join(', ')}))`)
  return objects.map((object) => `\n          || ${object}`).join('')
}

/** Attributes that can be sent but not read begin with an underscore, which `identifier` refuses. */
const literal = (name: string): string => `'${name.replaceAll("'", "''")}'`

/** Instants in the form that JSON has here, and numbers as JavaScript would write them. */
const loggedValue = (stored: string, kind: string | undefined): string => {
  if (kind === 'instant') return `to_char(${stored} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return kind === 'float' ? `${stored}::double precision` : stored
}
