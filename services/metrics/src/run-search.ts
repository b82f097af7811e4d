/**
 * One page of a search, without reading what it does not show: records are looked for from where the page begins, in
 * windows of sort date that are about as wide as the page needs, and wider while it is not full. How wide that is, an earlier
 * search with the same conditions tells, or else a guess. The first page of few records is found by the statement that counts them
 * (run-first-page.ts), a small table is one window, and records that the filter names are not counted.
 */
import type { Row } from './engine/engine.ts'
import { isOneStatementCheaper, isSmall, type WholeRows } from './engine/known-parts.ts'
import { instantOf } from './instant-of.ts'
import { NOTHING_LEFT_OUT, type KnownCounts, type LeftOut } from './known-counts.ts'
import type { KnownSpacings } from './known-spacings.ts'
import { EARLIEST_MS, LATEST_MS } from './plan/passes/clamp-range.ts'
import type { SearchPlan, Window } from './plan/plan.ts'
import { firstPageReach, runFirstPage, type FirstPageDeps } from './run-first-page.ts'
import { runPage, type PageDeps } from './run-page.ts'
import { sortedRange } from './search-key.ts'
import { renderSearchBounds } from './sql/render.ts'

export interface FoundPage {
  /** One more than the page holds when there are more. */
  readonly rows: readonly Row[]
  /** Records that match, as of the first page. */
  readonly total: number
  /** Records on the pages before. */
  readonly shown: number
}

export interface SearchDeps extends PageDeps, FirstPageDeps {
  readonly rows: WholeRows
  /** Undefined: every search is like the first. */
  readonly spacings?: KnownSpacings | undefined
  /** Undefined: every search counts all that match. */
  readonly counts?: KnownCounts | undefined
}

interface Start extends Pick<FoundPage, 'total' | 'shown'> {
  /** Where the page begins, in milliseconds of the sort date; null among records without one. */
  readonly startMs: number | null
  /** Milliseconds between two records; null when nothing is known of it. */
  readonly spacingMs: number | null
  /** Where the last of all records lies; null when that is not known, or records without a date come after it. */
  readonly lastMs: number | null
}

/** Records that fall unevenly are found with the first window nevertheless. */
const SPARE = 1.5
const WINDOW_MIN_MS = 1_000
/** A window that was not wide enough is followed by one so many times as wide, or more. */
const GROWTH_MIN = 4
const GROWTH_MAX = 64
/** After so many windows the rest is read at once. */
const WINDOWS_MAX = 6
/** Of a table of more rows it is remembered how many records of each quarter match. */
const ROWS_TO_REMEMBER = 500_000
/** The first page is looked for in this part of the date range while its records are counted, when nothing is known. */
const GUESS = 1 / 32

const toMs = (value: unknown): number => Number(value)

const startOf = async (plan: SearchPlan, { run, spacings }: SearchDeps): Promise<Start> => {
  const { after } = plan
  if (after !== undefined) {
    const { total, shown, sortedAtMs, spacingMs } = after
    return { total, shown, startMs: sortedAtMs, spacingMs, lastMs: null }
  }
  const [row = {}] = await run(renderSearchBounds(plan))
  const [total, dated] = [Number(row.total ?? 0), Number(row.dated ?? 0)]
  if (dated === 0) return { total, shown: 0, startMs: null, spacingMs: null, lastMs: null }
  const [earliest, latest] = [toMs(row.earliest), toMs(row.latest)]
  const [startMs, lastMs] = plan.order[0]?.direction === 'asc' ? [earliest, latest] : [latest, earliest]
  const spacingMs = (latest - earliest) / dated
  const range = sortedRange(plan)
  if (range !== undefined) spacings?.learn(plan, Math.abs(range.startMs - lastMs) / dated)
  return { total, shown: 0, startMs, spacingMs, lastMs: dated === total ? lastMs : null }
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** How many times as wide the next window is, by what this one gave. */
const growthFor = (missing: number, found: number): number =>
  clamp((SPARE * missing) / Math.max(found, 1), GROWTH_MIN, GROWTH_MAX)

/** The instant from which on, in the direction of the sort, there is nothing that has a date. */
const endOf = (plan: SearchPlan): number =>
  sortedRange(plan)?.endMs ?? (plan.order[0]?.direction === 'asc' ? LATEST_MS : EARLIEST_MS)

/** What was found up to an instant already. */
interface Guessed {
  readonly rows: readonly Row[]
  readonly untilMs: number
  readonly widthMs: number
}

/** Where most searches find their first page; undefined when the date range is not of the date that sorts. */
const guess = async (plan: SearchPlan, deps: SearchDeps): Promise<Guessed | undefined> => {
  const range = sortedRange(plan)
  if (plan.after !== undefined || range === undefined) return undefined
  const { startMs, endMs } = range
  const wholeMs = Math.abs(endMs - startMs)
  const spacingMs = deps.spacings?.find(plan)
  const neededMs =
    spacingMs === undefined ? wholeMs * GUESS : Math.max(spacingMs * (plan.limit + 1) * SPARE, WINDOW_MIN_MS)
  const widthMs = Math.round(Math.min(neededMs, wholeMs))
  if (widthMs < WINDOW_MIN_MS) return undefined
  const untilMs = startMs + Math.sign(endMs - startMs) * widthMs
  return { rows: await runPage({ ...plan, window: { untilMs } }, deps), untilMs, widthMs }
}

/**
 * Windows one after the other until the page is full; the last one is open, so that nothing is missed. While records are
 * counted, a guess that found some tells how wide the next one is to be; after that the count does.
 */
const findRows = async (
  plan: SearchPlan,
  counting: Promise<Start>,
  deps: SearchDeps,
): Promise<readonly Row[]> => {
  let counted: Start | undefined
  counting.then(
    (start) => (counted = start),
    () => undefined, // thrown where it is waited for
  )
  const guessed = await guess(plan, deps)
  if (guessed !== undefined && guessed.untilMs === endOf(plan)) return guessed.rows
  if (guessed === undefined || guessed.rows.length === 0) counted = await counting
  const wanted = plan.limit + 1
  const sign = plan.order[0]?.direction === 'asc' ? 1 : -1
  const end = endOf(plan)
  const rows: Row[] = [...(guessed?.rows ?? [])]
  let edgeMs = guessed?.untilMs ?? null
  let widthMs = (guessed?.widthMs ?? 0) * growthFor(wanted - rows.length, rows.length)
  let beyond: Pick<Window, 'beyondMs'> = guessed === undefined ? {} : { beyondMs: guessed.untilMs }
  let isSized = false
  for (let windows = 1; rows.length < wanted; windows += 1) {
    if (counted !== undefined && !isSized) {
      isSized = true
      const { startMs, lastMs, spacingMs, total, shown } = counted
      if (total === 0 || (edgeMs !== null && lastMs !== null && sign * (edgeMs - lastMs) >= 0)) break
      const isLast = total - shown <= plan.limit
      if (isLast || spacingMs === null || startMs === null) edgeMs = null
      else {
        edgeMs = edgeMs !== null && sign * (edgeMs - startMs) > 0 ? edgeMs : startMs
        widthMs = Math.max(spacingMs * (wanted - rows.length) * SPARE, WINDOW_MIN_MS)
      }
    }
    const limit = wanted - rows.length - 1
    const untilMs: number | null = edgeMs === null ? null : Math.round(edgeMs + sign * widthMs)
    const isBeyondEnd = untilMs !== null && sign * (untilMs - end) >= 0
    if (untilMs === null || isBeyondEnd || windows > WINDOWS_MAX) {
      rows.push(...(await runPage({ ...plan, limit, window: beyond }, deps)))
      break
    }
    const found = await runPage({ ...plan, limit, window: { ...beyond, untilMs } }, deps)
    rows.push(...found)
    widthMs *= growthFor(wanted - rows.length, found.length)
    beyond = { beyondMs: untilMs }
    edgeMs = untilMs
  }
  return rows
}

/** Of the date range, whichever date that is of. */
const rangeMs = ({ reach: { range } }: SearchPlan): number =>
  range === undefined ? Infinity : range.to.getTime() - range.from.getTime()

/** All records that match are on the first page, because the filter names no more of them. */
const fitsOnPage = ({ after, limit, reach: { table, predicates } }: SearchPlan): boolean =>
  after === undefined &&
  predicates.some(
    (predicate) =>
      predicate.op === 'in' &&
      predicate.match === 'equal' &&
      predicate.attribute === table.key.at(-1) &&
      predicate.values.length <= limit,
  )

/**
 * Whether no record that was left out belongs on the page. One may, when others that had been counted on it went away
 * between the look at the partitions and the statement.
 */
const isWhole = (
  { order: [date] }: SearchPlan,
  rows: readonly Row[],
  most: number,
  edge: number,
): boolean => {
  if (edge === Infinity) return true
  const lastMs = instantOf(rows.at(-1) ?? {}, date?.attribute.place.column ?? '')
  return rows.length === most && lastMs !== null && lastMs * (date?.direction === 'asc' ? 1 : -1) <= edge
}

/** The first page with the count of what has to be counted; undefined where that costs more than two statements. */
const runWithCount = async (plan: SearchPlan, deps: SearchDeps): Promise<FoundPage | undefined> => {
  const { rows: known, counts, run } = deps
  const isLarge = known !== undefined && known.all > ROWS_TO_REMEMBER
  const most = firstPageReach(plan)
  if (isLarge) counts?.note(plan, most)
  const runWithout = async (leftOut: LeftOut): Promise<FoundPage | undefined> => {
    if (!isOneStatementCheaper(known, rangeMs(plan), leftOut.rows)) return undefined
    const { rows, total } = await runFirstPage({ ...plan, leftOut: leftOut.partitions }, deps)
    if (!isWhole(plan, rows, most, leftOut.edge)) return runWithout(NOTHING_LEFT_OUT)
    return { rows, total: leftOut.total + total, shown: 0 }
  }
  return runWithout(
    isLarge && counts !== undefined ? await counts.leaveOut(plan, most, run) : NOTHING_LEFT_OUT,
  )
}

/** Two statements may be run at once. */
export const runSearch = async (plan: SearchPlan, deps: SearchDeps): Promise<FoundPage> => {
  const { after } = plan
  if (fitsOnPage(plan)) {
    const rows = await runPage(plan, deps)
    return { rows, total: rows.length, shown: 0 }
  }
  const isKnown = after === undefined && deps.rows?.state !== undefined
  const counted = isKnown ? await runWithCount(plan, deps) : undefined
  if (counted !== undefined) return counted
  if (after !== undefined && isSmall(deps.rows)) {
    return { rows: await runPage(plan, deps), total: after.total, shown: after.shown }
  }
  const counting = startOf(plan, deps)
  const [rows, { total, shown }] = await Promise.all([findRows(plan, counting, deps), counting])
  return { rows: total === 0 ? [] : rows, total, shown }
}
