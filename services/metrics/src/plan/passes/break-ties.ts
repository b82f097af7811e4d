import type { AggregatePlan, Level, Plan, SearchPlan } from '../plan.ts'
import type { Pass, PassContext } from './index.ts'

const byLabel = (level: Level): Level =>
  level.key === undefined || level.order.some(({ by }) => by === 'key')
    ? level
    : { ...level, order: [...level.order, { by: 'key', direction: 'asc' }] }

const breakAggregate = (plan: AggregatePlan): Plan => ({ ...plan, levels: plan.levels.map(byLabel) })

/** The id follows the direction of the date, so that a cursor is one comparison and pages never overlap. */
const breakSearch = (plan: SearchPlan, { resource }: PassContext): Plan => {
  const id = resource.attributes.get(`${resource.record}.id`)
  if (id === undefined) throw new Error(`${resource.name} has no id in its catalogue`)
  return { ...plan, order: [...plan.order, { attribute: id, direction: plan.order[0]?.direction ?? 'desc' }] }
}

/** Makes every order total: equal buckets by label, equal records by id. */
export const breakTies: Pass = (plan, context) =>
  plan.kind === 'search' ? breakSearch(plan, context) : breakAggregate(plan)
