/**
 * The records of one window of a search. FINAL over the window reads all that lies between the keys of a part that is not
 * merged yet, which is a quarter of a year when one old order changed together with new ones. So, unless that is little or
 * the records lie far apart, which ones they are is found among the rows of all versions, and only these are read as they are
 * now, by key.
 */
import type { Row } from './engine/engine.ts'
import { isFinalCheap, type KnownRows } from './engine/known-parts.ts'
import type { SearchPlan } from './plan/plan.ts'
import { renderSearchCandidates, renderSearchPage, renderSearchPageOf } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

export interface PageDeps {
  /** Gives the rows of a statement. */
  readonly run: (statement: Statement) => Promise<readonly Row[]>
  /** What there is to read, as far as is known. */
  readonly rows: KnownRows
}

/** Rows that are not the newest of their record take up places among the candidates. */
const SPARE = 1.2
const SPARE_MIN = 4

/** In milliseconds of the sort date; a window without an end goes on for ever. */
const widthOf = ({ window, after, order: [date], reach: { range } }: SearchPlan): number => {
  const isAscending = date?.direction === 'asc'
  const [first, last] = range?.attribute === date?.attribute ? [range?.from, range?.to] : []
  const [start, end] = isAscending ? [first, last] : [last, first]
  const startMs = window?.beyondMs ?? after?.sortedAtMs ?? start?.getTime()
  const endMs = window?.untilMs ?? end?.getTime()
  return startMs === undefined || endMs === undefined ? Infinity : Math.abs(endMs - startMs)
}

/** The first records of the window in their order, one more than the page holds if there are so many. */
export const runPage = async (plan: SearchPlan, { run, rows: known }: PageDeps): Promise<readonly Row[]> => {
  const wanted = plan.limit + 1
  const most = Math.ceil(wanted * SPARE) + SPARE_MIN
  if (isFinalCheap(known, most, widthOf(plan))) return run(renderSearchPage(plan))
  const candidates = await run(renderSearchCandidates(plan, most))
  if (candidates.length === 0) return []
  const keys = candidates.map((row) => plan.reach.table.key.map((_, index) => String(row[`key${index}`])))
  const rows = await run(renderSearchPageOf(plan, keys))
  if (candidates.length < most) return rows
  return isWhole(plan, rows, candidates.at(-1)?.at) ? rows : run(renderSearchPage(plan))
}

/**
 * Among as many candidates as were asked for are all records before the date of the last one, and perhaps some behind it:
 * a record of which an old version comes early. Dates are texts that sort as they do.
 */
const isWhole = ({ limit, order: [date] }: SearchPlan, rows: readonly Row[], cut: unknown): boolean => {
  const last = rows[limit]?.[date?.attribute.place.column ?? '']
  if (typeof last !== 'string' || typeof cut !== 'string') return false
  return date?.direction === 'asc' ? last < cut : last > cut
}
