/** The filters of a request → conditions; related rows count as far as the request sees them. */
import type { Filter } from '@merx/jsonapi/query'
import { filterConditions as conditionsOf } from './filter-tree.ts'
import type { Build } from './relations.ts'
import { visibleRows } from './visible-rows.ts'

/** Every condition that the filters of a request put on rows under `alias`. */
export const filterConditions = (
  filters: readonly Filter[],
  alias: string,
  build: Build,
): readonly string[] => conditionsOf(filters, alias, visibleRows, build)
