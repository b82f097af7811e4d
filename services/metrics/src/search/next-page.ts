/**
 * Finds a later page of a search. The cursor holds how far apart the records of the page before lay, so the first statement reads a
 * window of sort dates that probably holds the page. If it does not, a second statement reads all records behind the cursor.
 */
import type { Row } from '../engine/engine.ts'
import { EARLIEST_MS, LATEST_MS } from '../plan/passes/clamp-range.ts'
import type { SearchPlan } from '../plan/plan.ts'
import type { CursorPosition } from '../request/cursor.ts'
import { renderSearchPage } from '../sql/render.ts'
import type { Statement } from '../sql/statement.ts'
import type { FoundPage } from './found-page.ts'

export interface NextPageDeps {
  readonly run: (statement: Statement) => Promise<readonly Row[]>
}

export type NextPagePlan = SearchPlan & { readonly after: CursorPosition }

/** How much wider a window is than evenly spread records need. */
const MARGIN = 1.5
const WINDOW_MIN_MS = 1_000

/** Where the window ends, in milliseconds of the sort date; undefined where no window can hold a full page. */
const windowEndOf = ({ after, limit, order: [date] }: NextPagePlan): number | undefined => {
  const { sortedAtMs, spacingMs, total, shown } = after
  const isLastPage = total - shown <= limit
  if (sortedAtMs === null || spacingMs === null || isLastPage) return undefined
  const widthMs = Math.max(spacingMs * (limit + 1) * MARGIN, WINDOW_MIN_MS)
  const endMs = Math.round(date?.direction === 'asc' ? sortedAtMs + widthMs : sortedAtMs - widthMs)
  return endMs < EARLIEST_MS || endMs > LATEST_MS ? undefined : endMs
}

export const findNextPage = async (plan: NextPagePlan, { run }: NextPageDeps): Promise<FoundPage> => {
  const { total, shown } = plan.after
  const untilMs = windowEndOf(plan)
  const inWindow = untilMs === undefined ? [] : await run(renderSearchPage({ ...plan, untilMs }))
  const rows = inWindow.length > plan.limit ? inWindow : await run(renderSearchPage(plan))
  return { rows, total, shown }
}
