/** Presents a page of a search: its records, and the cursor of the next page. */
import type { Row } from '../engine/engine.ts'
import type { CursorCodec } from '../request/cursor.ts'
import type { Query } from '../request/query.ts'
import type { FoundPage } from '../search/found-page.ts'
import type { Presented } from './present.ts'
import { toRecord } from './record.ts'

type SearchQuery = Extract<Query, { readonly kind: 'search' }>

/** The date of a row in milliseconds; null when it has none. The engine returns UTC text. */
const instantOf = (row: Row, column: string): number | null => {
  const value = row[column]
  return typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : null
}

const nextCursor = (
  { search, filter }: SearchQuery,
  { total, shown }: FoundPage,
  page: readonly Row[],
  cursors: CursorCodec,
): string => {
  const last = page.at(-1) ?? {}
  const sortedAtMs = instantOf(last, search.sortBy.place.column)
  const startMs =
    search.after === undefined
      ? instantOf(page[0] ?? {}, search.sortBy.place.column)
      : search.after.sortedAtMs
  const isKnown = sortedAtMs !== null && startMs !== null
  const position = {
    sortedAtMs,
    id: String(last.id),
    fromMs: filter.range.from.getTime(),
    toMs: filter.range.to.getTime(),
    total,
    shown: shown + page.length,
    spacingMs: isKnown ? Math.ceil(Math.abs(sortedAtMs - startMs) / page.length) : null,
  }
  return cursors.encode(position, search.fingerprint)
}

export const presentSearch = (query: SearchQuery, found: FoundPage, cursors: CursorCodec): Presented => {
  const { fields, limit } = query.search
  const page = found.rows.slice(0, limit)
  return {
    data: page.map((row) => toRecord(fields, String(row.id), row)),
    pagination: {
      record_count: found.total,
      cursor: found.rows.length > limit ? nextCursor(query, found, page, cursors) : null,
    },
  }
}
