/** Many rows at once: COPY in text format (PostgreSQL manual, COPY, File Formats), and row numbers reserved before it. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { escapeIdentifier } from 'pg'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Dates become instants, other objects JSON, undefined and null NULL. */
export type CopyValue = string | number | bigint | boolean | Date | object | null | undefined

export type CopyRow = readonly CopyValue[]

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escapeText = (text: string): string =>
  /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : text

const encodeValue = (value: CopyValue): string => {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be stored`)
    return String(value)
  }
  if (typeof value !== 'object') return String(value)
  return value instanceof Date ? value.toISOString() : escapeText(JSON.stringify(value))
}

/** One row as a line of COPY's text format, with its line end. */
export const encodeCopyRow = (row: CopyRow): string => `${row.map(encodeValue).join('\t')}\n`

const CHUNK_CHARACTERS = 65_536

function* toChunks(rows: Iterable<CopyRow>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += encodeCopyRow(row)
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * Copies rows into a table, in the client's transaction if it has one; rows are taken as fast as PostgreSQL takes
 * them. Constraints and triggers apply as to any insert.
 *
 * @example await copyRows(client, 'tags', ['environment_id', 'name'], [[1, 'vip'], [1, 'gift']])
 */
export const copyRows = async (
  client: ClientBase,
  table: string,
  columns: readonly string[],
  rows: Iterable<CopyRow>,
): Promise<void> => {
  const list = columns.map(escapeIdentifier).join(', ')
  const stream = client.query(copyFrom(`COPY ${escapeIdentifier(table)} (${list}) FROM STDIN`))
  await pipeline(Readable.from(toChunks(rows), { objectMode: true }), stream)
}

/** Row numbers that nobody else gets, ascending. */
export const reserveIds = async (
  client: ClientBase,
  table: string,
  count: number,
): Promise<readonly number[]> => {
  const { rows } = await client.query<{ ids: readonly number[] | null }>(
    `SELECT array_agg(nextval(pg_get_serial_sequence($1, 'id'))) AS ids FROM generate_series(1, $2)`,
    [table, count],
  )
  return rows[0]?.ids ?? []
}
