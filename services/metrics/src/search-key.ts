/** What searches have in common whose dates and fields differ. */
import { hash } from 'node:crypto'
import type { SearchPlan } from './plan/plan.ts'
import { renderSearchBounds } from './sql/render.ts'

/** The same for searches of one environment with the same conditions and order, whatever dates and fields they ask for. */
export const searchKeyOf = (plan: SearchPlan): string => {
  const { range: _dates, ...reach } = plan.reach
  const { text, params } = renderSearchBounds({ ...plan, reach })
  return hash('sha256', JSON.stringify([text, params, plan.order[0]?.direction]), 'base64url')
}

/** The date range in the direction of the sort; undefined when it is not of the date that sorts. */
export const sortedRange = ({ reach: { range }, order: [date] }: SearchPlan) => {
  if (range === undefined || range.attribute !== date?.attribute) return undefined
  const [from, to] = [range.from.getTime(), range.to.getTime()]
  return date.direction === 'asc' ? { startMs: from, endMs: to } : { startMs: to, endMs: from }
}
