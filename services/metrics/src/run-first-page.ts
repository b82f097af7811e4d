/**
 * The first page of a search and the count of all its records, in one statement (docs/adr/0059-a-page-tells-its-count.md): the
 * engine sees each record that matches while it looks for the first ones, so it can tell how many there were.
 */
import type { CountedRows, Row } from './engine/engine.ts'
import type { SearchPlan } from './plan/plan.ts'
import { SHOWN_ID } from './sql/render-search.ts'
import { renderFirstRecords } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

export interface FirstPageDeps {
  /** Gives the rows of a statement, and how many there would be without its LIMIT. */
  readonly count: (statement: Statement) => Promise<CountedRows>
}

const compare = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

/** By the sort date, then by the id, as the engine orders them; dates are texts that sort as they do. */
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

/** How many of the first records are looked at. */
export const firstPageReach = ({ limit }: SearchPlan): number => limit + 1

/** One record more than the page holds when there are more, and how many there are, both outside of the partitions that are left out. */
export const runFirstPage = async (plan: SearchPlan, { count }: FirstPageDeps): Promise<CountedRows> => {
  const { limit, order, reach } = plan
  const dateColumn = order[0]?.attribute.place.column ?? ''
  const idColumn = reach.table.key.at(-1)?.place.column ?? ''
  const most = firstPageReach(plan)
  const byDate = await count(renderFirstRecords(plan, { keys: 1, limit: most }))
  // another one of the instant at which the page ends may have been left out, and belong on it by its id
  const isCut =
    byDate.rows.length === most && byDate.rows[limit]?.[dateColumn] === byDate.rows[limit - 1]?.[dateColumn]
  const { rows, total } = isCut
    ? await count(renderFirstRecords(plan, { keys: order.length, limit: most }))
    : byDate
  const named = rows.map(({ [SHOWN_ID]: id, ...row }): Row => ({ ...row, [idColumn]: id }))
  return { rows: inOrder(plan, named), total }
}
