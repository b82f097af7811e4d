/** The pass that makes every order total, so that pages never overlap. */
import type { AggregatePlan, ExportPlan, Level, Plan, SearchPlan } from '../plan.ts'
import type { Pass, PassContext } from './pass.ts'

const byLabel = (level: Level): Level =>
  level.key === undefined || level.order.some(({ by }) => by === 'key')
    ? level
    : { ...level, order: [...level.order, { by: 'key', direction: 'asc' }] }

const breakAggregate = (plan: AggregatePlan): Plan => ({ ...plan, levels: plan.levels.map(byLabel) })

/** The id follows the direction of the date, so that a cursor is one comparison and pages never overlap. */
const breakSearch = (plan: SearchPlan | ExportPlan, { resource }: PassContext): Plan => {
  const id = resource.attributes.get(`${resource.record}.id`)
  if (id === undefined) throw new Error(`${resource.name} has no id in its catalogue`)
  return { ...plan, order: [...plan.order, { attribute: id, direction: plan.order[0]?.direction ?? 'desc' }] }
}

/** Makes every order total: equal buckets by label, equal records by id. What fbt finds is ordered by its renderer. */
export const breakTies: Pass = (plan, context) => {
  if (plan.kind === 'fbt') return plan
  return plan.kind === 'aggregate' ? breakAggregate(plan) : breakSearch(plan, context)
}
