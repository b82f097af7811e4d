/** A plan → parameterised statements. */
import type { AggregatePlan, ExportPlan, FbtPlan, SearchPlan } from '../plan/plan.ts'
import { renderFbt } from './render-fbt.ts'
import { renderLevel } from './render-level.ts'
import { renderKeys, renderPage, renderRecords, renderTotal } from './render-search.ts'
import { createParams, type Params, type Statement } from './statement.ts'

const toStatement = (write: (params: Params) => string): Statement => {
  const params = createParams()
  return { text: write(params), params: params.values }
}

/**
 * One statement for each level of an aggregate; page and total of a search; one of an fbt. Throws an Error, a 500, for a plan that no
 * pass has scoped to an environment.
 */
export const render = (plan: AggregatePlan | SearchPlan | FbtPlan): readonly Statement[] => {
  switch (plan.kind) {
    case 'aggregate':
      return plan.levels.map((_, depth) => toStatement((params) => renderLevel(plan, depth, params)))
    case 'search':
      return [
        toStatement((params) => renderPage(plan, params)),
        toStatement((params) => renderTotal(plan, params)),
      ]
    case 'fbt':
      return [toStatement((params) => renderFbt(plan, params))]
  }
}

/** Which records an export has. */
export const renderExportKeys = (plan: ExportPlan): Statement =>
  toStatement((params) => renderKeys(plan, params))

/** The records with these keys. */
export const renderExportRecords = (plan: ExportPlan, keys: readonly (readonly string[])[]): Statement =>
  toStatement((params) => renderRecords(plan, keys, params))
