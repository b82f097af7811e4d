/** A query and the rows of its statements → the `data` of the answer, and the pagination of a search. */
import type { Row } from '../engine/engine.ts'
import type { CursorCodec } from '../request/cursor.ts'
import type { Query, Search } from '../request/query.ts'
import { nestBuckets } from './buckets.ts'
import { toRecord } from './record.ts'
import { toMeasuredValue } from './value.ts'

export interface Pagination {
  /** All matching records, not those of the page. */
  readonly record_count: number
  /** Null on the last page. */
  readonly cursor: string | null
}

export interface Presented {
  readonly data: unknown
  readonly pagination?: Pagination
}

const NO_ROW: Row = {}

/** What one answer gives; an export is written line by line instead. */
type Answerable = Exclude<Query, { readonly kind: 'export' }>
type SearchQuery = Extract<Query, { readonly kind: 'search' }>

const nextCursor = (search: Search, query: SearchQuery, last: Row, cursors: CursorCodec): string => {
  const { from, to } = query.filter.range
  const sortedAt = last[search.sortBy.place.column]
  const sortedAtMs = typeof sortedAt === 'string' ? Date.parse(`${sortedAt.replace(' ', 'T')}Z`) : null
  const position = { sortedAtMs, id: String(last.id), fromMs: from.getTime(), toMs: to.getTime() }
  return cursors.encode(position, search.fingerprint)
}

const presentSearch = (
  query: SearchQuery,
  [page = [], total = []]: readonly (readonly Row[])[],
  cursors: CursorCodec,
): Presented => {
  const { search } = query
  const shown = page.slice(0, search.limit)
  const last = shown.at(-1)
  const hasMore = page.length > search.limit && last !== undefined
  return {
    data: shown.map((row) => toRecord(search.fields, String(row.id), row)),
    pagination: {
      record_count: Number(total[0]?.total ?? 0),
      cursor: hasMore ? nextCursor(search, query, last, cursors) : null,
    },
  }
}

const presentDates = (
  query: Extract<Query, { readonly kind: 'date_breakdown' }>,
  [dates = [], ...inner]: readonly (readonly Row[])[],
): Presented => {
  const nested = nestBuckets(query.dateBreakdown.breakdown, inner, 1)
  return {
    data: dates.map((row) => ({
      date: new Date(Number(row.k0) * 1000).toISOString(),
      value: toMeasuredValue(row, query.dateBreakdown),
      ...nested(row),
    })),
  }
}

/** `rows` holds the answer of each statement of the plan, in order. */
export const present = (
  query: Answerable,
  rows: readonly (readonly Row[])[],
  cursors: CursorCodec,
): Presented => {
  switch (query.kind) {
    case 'breakdown':
      return { data: nestBuckets(query.breakdown, rows, 0)(NO_ROW) }
    case 'date_breakdown':
      return presentDates(query, rows)
    case 'stats':
      return { data: { value: toMeasuredValue(rows[0]?.[0] ?? NO_ROW, query.stats) } }
    case 'search':
      return presentSearch(query, rows, cursors)
  }
}
