/** Runs one page of a search in at most two statements (docs/adr/0070-a-search-is-two-statements.md). */
import type { SearchPlan } from '../plan/plan.ts'
import { findFirstPage, type FirstPageDeps } from './first-page.ts'
import type { FoundPage } from './found-page.ts'
import { findNextPage, type NextPageDeps } from './next-page.ts'

export type SearchDeps = FirstPageDeps & NextPageDeps

export const runSearch = ({ after, ...plan }: SearchPlan, deps: SearchDeps): Promise<FoundPage> =>
  after === undefined ? findFirstPage(plan, deps) : findNextPage({ ...plan, after }, deps)
