/** Builds the `data` of the answer from a query and the rows of its statements. */
import type { Row } from '../engine/engine.ts'
import type { Query } from '../request/query.ts'
import { nestBuckets } from './buckets.ts'
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

/** What is made of buckets; a search and an export are presented elsewhere. */
type Aggregate = Exclude<Query, { readonly kind: 'export' | 'search' }>

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

/** `rows` holds the buckets of each level of the plan, in order. */
export const present = (query: Aggregate, rows: readonly (readonly Row[])[]): Presented => {
  switch (query.kind) {
    case 'breakdown':
      return { data: nestBuckets(query.breakdown, rows, 0)(NO_ROW) }
    case 'date_breakdown':
      return presentDates(query, rows)
    case 'stats':
      return { data: { value: toMeasuredValue(rows[0]?.[0] ?? NO_ROW, query.stats) } }
  }
}
