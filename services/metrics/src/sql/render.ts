/** A plan → parameterised statements. Each throws an Error, a 500, for a plan that no pass has scoped to an environment. */
import type { AggregatePlan, ExportPlan, FbtPlan, SearchPlan } from '../plan/plan.ts'
import { renderFbt } from './render-fbt.ts'
import { renderLevel, type LevelOptions } from './render-level.ts'
import {
  renderBounds,
  renderCandidates,
  renderCounts,
  renderFirst,
  renderKeys,
  renderPage,
  renderPageOf,
  renderRecords,
} from './render-search.ts'
import { createParams, type Params, type Statement } from './statement.ts'

const toStatement = (write: (params: Params) => string): Statement => {
  const params = createParams()
  return { text: write(params), params: params.values }
}

/** The buckets of one level. */
export const renderBuckets = (plan: AggregatePlan, depth: number, options?: LevelOptions): Statement =>
  toStatement((params) => renderLevel(plan, depth, params, options))

export const renderPairs = (plan: FbtPlan): Statement => toStatement((params) => renderFbt(plan, params))

/** How many records a search has, and between which dates. */
export const renderSearchBounds = (plan: SearchPlan): Statement =>
  toStatement((params) => renderBounds(plan, params))

/** How many records of these partitions a search has at whatever date, and where the first `most` and the last of them lie. */
export const renderSearchCounts = (
  plan: SearchPlan,
  options: { readonly partitions: readonly string[]; readonly most: number },
): Statement => toStatement((params) => renderCounts(plan, options, params))

/** The first records of a search in the order of so many keys, to be counted at once. */
export const renderFirstRecords = (
  plan: SearchPlan,
  options: { readonly keys: number; readonly limit: number },
): Statement => toStatement((params) => renderFirst(plan, options, params))

/** The records of a page, or of a window of it. */
export const renderSearchPage = (plan: SearchPlan): Statement =>
  toStatement((params) => renderPage(plan, params))

/** Rows of any version that a page is among. */
export const renderSearchCandidates = (plan: SearchPlan, limit: number): Statement =>
  toStatement((params) => renderCandidates(plan, limit, params))

/** The page, among the records with these keys. */
export const renderSearchPageOf = (plan: SearchPlan, keys: readonly (readonly string[])[]): Statement =>
  toStatement((params) => renderPageOf(plan, keys, params))

/** Which records an export has. */
export const renderExportKeys = (plan: ExportPlan): Statement =>
  toStatement((params) => renderKeys(plan, params))

/** The records with these keys. */
export const renderExportRecords = (plan: ExportPlan, keys: readonly (readonly string[])[]): Statement =>
  toStatement((params) => renderRecords(plan, keys, params))
