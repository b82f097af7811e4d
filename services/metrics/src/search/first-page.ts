/**
 * Finds the first page of a search and the count of all matching records. One statement gives both: the engine reads every
 * matching record to find the first ones, so it reports how many rows there were before the LIMIT.
 */
import type { CountedRows, Row } from '../engine/engine.ts'
import type { SearchPlan } from '../plan/plan.ts'
import { SHOWN_ID } from '../sql/render-search.ts'
import { renderFirstRecords, renderSearchCount, renderSearchPage } from '../sql/render.ts'
import type { Statement } from '../sql/statement.ts'
import type { FoundPage } from './found-page.ts'

export interface FirstPageDeps {
  readonly run: (statement: Statement) => Promise<readonly Row[]>
  /** Gives the rows of a statement, and how many it would have without its LIMIT. */
  readonly runCounted: (statement: Statement) => Promise<CountedRows>
  /** Whether tables are spread over shards. Exact counts before a LIMIT are tested on one server only. */
  readonly isCluster: boolean
}

const compare = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

/** By sort date, then by id, as the engine orders them. Dates are texts that sort chronologically. */
const inOrder = ({ order: [date, id] }: SearchPlan, rows: readonly Row[]): readonly Row[] => {
  const [dateSign, idSign] = [date, id].map((key) => (key?.direction === 'asc' ? 1 : -1))
  const [dateColumn = '', idColumn = ''] = [date, id].map((key) => key?.attribute.place.column)
  const byDate = (left: unknown, right: unknown): number => {
    if (typeof left === 'string' && typeof right === 'string') return (dateSign ?? 1) * compare(left, right)
    return Number(left === null) - Number(right === null)
  }
  return rows.toSorted(
    (left, right) =>
      byDate(left[dateColumn], right[dateColumn]) ||
      (idSign ?? 1) * compare(String(left[idColumn]), String(right[idColumn])),
  )
}

const findPageAndCount = async (plan: SearchPlan, { run }: FirstPageDeps): Promise<FoundPage> => {
  const [rows, [row]] = await Promise.all([run(renderSearchPage(plan)), run(renderSearchCount(plan))])
  return { rows, total: Number(row?.total ?? 0), shown: 0 }
}

export const findFirstPage = async (plan: SearchPlan, deps: FirstPageDeps): Promise<FoundPage> => {
  if (deps.isCluster) return findPageAndCount(plan, deps)
  const { limit, order, reach } = plan
  const dateColumn = order[0]?.attribute.place.column ?? ''
  const idColumn = reach.table.key.at(-1)?.place.column ?? ''
  const byDate = await deps.runCounted(renderFirstRecords(plan, 1))
  // the page ends between two records of one date: the id decides which of them belong on it
  const isCut =
    byDate.rows.length > limit && byDate.rows[limit]?.[dateColumn] === byDate.rows[limit - 1]?.[dateColumn]
  const { rows, total } = isCut ? await deps.runCounted(renderFirstRecords(plan, order.length)) : byDate
  const named = rows.map(({ [SHOWN_ID]: id, ...row }): Row => ({ ...row, [idColumn]: id }))
  return { rows: inOrder(plan, named), total, shown: 0 }
}
