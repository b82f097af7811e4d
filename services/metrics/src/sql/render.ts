/** Renders plans as parameterised statements. Throws an Error (a 500) for a plan that no pass has scoped to an environment. */
import type { AggregatePlan, ExportPlan, FbtPlan, SearchPlan } from '../plan/plan.ts'
import { renderFbt } from './render-fbt.ts'
import { renderLevel, type LevelOptions } from './render-level.ts'
import { renderCount, renderFirst, renderKeys, renderPage, renderRecords } from './render-search.ts'
import { createParams, type Params, type Statement } from './statement.ts'

const toStatement = (write: (params: Params) => string): Statement => {
  const params = createParams()
  return { text: write(params), params: params.values }
}

/** The buckets of one level. */
export const renderBuckets = (plan: AggregatePlan, depth: number, options?: LevelOptions): Statement =>
  toStatement((params) => renderLevel(plan, depth, params, options))

export const renderPairs = (plan: FbtPlan): Statement => toStatement((params) => renderFbt(plan, params))

/** How many records a search has. */
export const renderSearchCount = (plan: SearchPlan): Statement =>
  toStatement((params) => renderCount(plan, params))

/** The first records of a search, ordered by the first `keys` sort keys only. */
export const renderFirstRecords = (plan: SearchPlan, keys: number): Statement =>
  toStatement((params) => renderFirst(plan, keys, params))

/** The records of a page. */
export const renderSearchPage = (plan: SearchPlan): Statement =>
  toStatement((params) => renderPage(plan, params))

/** Which records an export has. */
export const renderExportKeys = (plan: ExportPlan): Statement =>
  toStatement((params) => renderKeys(plan, params))

/** The records with these keys. */
export const renderExportRecords = (plan: ExportPlan, keys: readonly (readonly string[])[]): Statement =>
  toStatement((params) => renderRecords(plan, keys, params))
