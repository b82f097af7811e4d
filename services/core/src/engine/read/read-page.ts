/** A list query → the records of one page and how many there are in all. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import { selectIndexedPage } from '../bitmap-index/select-indexed-page.ts'
import { createParams } from '../sql/params.ts'
import { COUNT_COLUMN, selectPage } from '../sql/select-page.ts'
import type { Parent } from '../sql/select-page.ts'
import { computedPairs, withPairColumns } from './computed-pairs.ts'
import { readIncludes } from './read-includes.ts'
import type { Reading } from './read-includes.ts'
import type { OpenRecord } from './records.ts'

export interface PageOfRecords {
  readonly records: readonly OpenRecord[]
  readonly recordCount: number
}

/** With `parent`, the collection its relationship leads to. A page beyond the last is empty, with the true count. */
export const readPage = async (
  definition: ResourceDefinition,
  query: ListQuery,
  reading: Reading,
  parent?: Parent,
): Promise<PageOfRecords> => {
  const { filters, sorts, page, include } = query
  const request = { definition, filters, sorts, page, ...(parent === undefined ? {} : { parent }) }
  const { registry, scope, run, records } = reading
  const pairs =
    parent === undefined
      ? undefined
      : await computedPairs(parent.relationship, [parent.number], new Map(), reading)
  const params = createParams(scope.environmentId)
  const build = { registry, scope, params, ...(pairs === undefined ? {} : { pairs }) }
  const rows = await run(selectIndexedPage(request, build) ?? selectPage(request, build))
  const recordCount = rows[0]?.[COUNT_COLUMN]
  if (typeof recordCount !== 'number') throw new TypeError('the statement of a page gives no count')
  const found = rows
    .filter((row) => row['id'] !== null)
    .map((row) => records.of(definition, withPairColumns(row, parent?.number, pairs)))
  await readIncludes(found, include, reading)
  return { records: found, recordCount }
}
