/** Refuses a plan that would show a custom role, by sums or filters, what core does not show it. */
import { AppError } from '@merx/errors/app-error'
import type { Attribute } from '../catalogue/attribute.ts'
import type { MayRead } from '../request/readable-types.ts'
import type { Plan } from './plan.ts'

/** Every attribute that the answer shows, or whose values could be derived from it. */
const attributesOf = (plan: Plan): readonly Attribute[] => {
  const { predicates, range } = plan.reach
  const filtered = [...(range === undefined ? [] : [range]), ...predicates].map(({ attribute }) => attribute)
  switch (plan.kind) {
    case 'aggregate':
      return [
        ...filtered,
        ...plan.levels.flatMap(({ key, measure }) => [...(key ? [key.attribute] : []), measure.field]),
      ]
    case 'search':
    case 'export':
      return [...filtered, ...plan.fields, ...plan.order.map(({ attribute }) => attribute)]
    case 'fbt':
      return filtered
  }
}

/** What an analysis of items shows is of this type. */
const LINE_ITEMS = 'line_items'

/**
 * @param plan as asked, before the passes
 * @throws AppError 401 that names the attribute and the type
 */
export const requireReadable = (plan: Plan, mayRead: MayRead): void => {
  for (const { path, types } of attributesOf(plan)) {
    const hidden = types.find((type) => !mayRead(type))
    if (hidden !== undefined) throw refuse(`${hidden}, which ${path} tells of`)
  }
  if (plan.kind === 'fbt' && !mayRead(LINE_ITEMS)) throw refuse(LINE_ITEMS)
}

const refuse = (hidden: string): AppError =>
  new AppError('metrics_unauthorized', { title: `the access token may not read ${hidden}` })
