/**
 * One page of a search, without reading what it does not show: records are looked for from where the page begins, in
 * windows of sort date that are about as wide as the page needs, and wider while it is not full.
 */
import type { Row } from './engine/engine.ts'
import { EARLIEST_MS, LATEST_MS } from './plan/passes/clamp-range.ts'
import type { SearchPlan, Window } from './plan/plan.ts'
import { renderSearchBounds, renderSearchPage } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

export interface FoundPage {
  /** One more than the page holds when there are more. */
  readonly rows: readonly Row[]
  /** Records that match, as of the first page. */
  readonly total: number
  /** Records on the pages before. */
  readonly shown: number
  /** Where the page begins, in milliseconds of the sort date; null among records without one. */
  readonly startMs: number | null
}

type Run = (statement: Statement) => Promise<readonly Row[]>

interface Start extends Pick<FoundPage, 'total' | 'shown' | 'startMs'> {
  /** Milliseconds between two records; null when nothing is known of it. */
  readonly spacingMs: number | null
}

/** Records that fall unevenly are found with the first window nevertheless. */
const SPARE = 1.5
const WINDOW_MIN_MS = 1_000
/** A window that was not wide enough is followed by one so many times as wide, or more. */
const GROWTH_MIN = 4
const GROWTH_MAX = 64
/** After so many windows the rest is read at once. */
const WINDOWS_MAX = 6

const toMs = (value: unknown): number => Number(value)

const startOf = async (plan: SearchPlan, run: Run): Promise<Start> => {
  const { after } = plan
  if (after !== undefined) {
    const { total, shown, sortedAtMs, spacingMs } = after
    return { total, shown, startMs: sortedAtMs, spacingMs }
  }
  const [row = {}] = await run(renderSearchBounds(plan))
  const [total, dated] = [Number(row.total ?? 0), Number(row.dated ?? 0)]
  if (dated === 0) return { total, shown: 0, startMs: null, spacingMs: null }
  const [earliest, latest] = [toMs(row.earliest), toMs(row.latest)]
  const startMs = plan.order[0]?.direction === 'asc' ? earliest : latest
  return { total, shown: 0, startMs, spacingMs: (latest - earliest) / dated }
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** How many times as wide the next window is, by what this one gave. */
const growthFor = (missing: number, found: number): number =>
  clamp((SPARE * missing) / Math.max(found, 1), GROWTH_MIN, GROWTH_MAX)

/** The instant from which on, in the direction of the sort, there is nothing that has a date. */
const endOf = ({ reach: { range }, order: [date] }: SearchPlan): number => {
  const isAscending = date?.direction === 'asc'
  if (range === undefined || range.attribute !== date?.attribute) return isAscending ? LATEST_MS : EARLIEST_MS
  return (isAscending ? range.to : range.from).getTime()
}

/** Windows one after the other until the page is full; the last one is open, so that nothing is missed. */
const findRows = async (plan: SearchPlan, start: Start, run: Run): Promise<readonly Row[]> => {
  const wanted = plan.limit + 1
  const sign = plan.order[0]?.direction === 'asc' ? 1 : -1
  const end = endOf(plan)
  const rows: Row[] = []
  const isLast = start.total - start.shown <= plan.limit
  let edgeMs = isLast || start.spacingMs === null ? null : start.startMs
  let widthMs = Math.max((start.spacingMs ?? 0) * wanted * SPARE, WINDOW_MIN_MS)
  let beyond: Pick<Window, 'beyondMs'> = {}
  for (let windows = 1; rows.length < wanted; windows += 1) {
    const limit = wanted - rows.length - 1
    const untilMs: number | null = edgeMs === null ? null : Math.round(edgeMs + sign * widthMs)
    const isBeyondEnd = untilMs !== null && sign * (untilMs - end) >= 0
    if (untilMs === null || isBeyondEnd || windows > WINDOWS_MAX) {
      rows.push(...(await run(renderSearchPage({ ...plan, limit, window: beyond }))))
      break
    }
    const found = await run(renderSearchPage({ ...plan, limit, window: { ...beyond, untilMs } }))
    rows.push(...found)
    widthMs *= growthFor(wanted - rows.length, found.length)
    beyond = { beyondMs: untilMs }
    edgeMs = untilMs
  }
  return rows
}

/** `run` gives the rows of a statement. */
export const runSearch = async (plan: SearchPlan, run: Run): Promise<FoundPage> => {
  const start = await startOf(plan, run)
  const { total, shown, startMs } = start
  const rows = total === 0 ? [] : await findRows(plan, start, run)
  return { rows, total, shown, startMs }
}
