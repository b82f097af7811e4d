/** A plan → parameterised statements: one for each level of an aggregate; page and total of a search. */
import type { Plan } from '../plan/plan.ts'
import { renderLevel } from './render-level.ts'
import { renderPage, renderTotal } from './render-search.ts'
import { createParams, type Params, type Statement } from './statement.ts'

const toStatement = (write: (params: Params) => string): Statement => {
  const params = createParams()
  return { text: write(params), params: params.values }
}

/** Throws an Error, a 500, for a plan that no pass has scoped to an environment. */
export const render = (plan: Plan): readonly Statement[] =>
  plan.kind === 'aggregate'
    ? plan.levels.map((_, depth) => toStatement((params) => renderLevel(plan, depth, params)))
    : [toStatement((params) => renderPage(plan, params)), toStatement((params) => renderTotal(plan, params))]
