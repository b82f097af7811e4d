/** A list query → the records of one page and how many there are in all. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import type { RelatedPair, Visibility } from '../area.ts'
import { selectIndexedPage } from '../bitmap-index/select-indexed-page.ts'
import { createParams } from '../sql/params.ts'
import { COUNT_COLUMN, selectPage } from '../sql/select-page.ts'
import type { Parent } from '../sql/select-page.ts'
import { computedPairs, withPairColumns } from './computed-pairs.ts'
import { present } from './present.ts'
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
  const { registry, scope, run, records } = reading
  const { conditions, pairs } = parent === undefined ? {} : await sourceOf(parent, reading)
  const owner = conditions === undefined ? parent : parent && { ...parent, conditions }
  const request = { definition, filters, sorts, page, ...(owner === undefined ? {} : { parent: owner }) }
  const params = createParams(scope.environmentId)
  const build = { registry, scope, params, ...(pairs === undefined ? {} : { pairs }) }
  const rows = await run(selectIndexedPage(request, build) ?? selectPage(request, build))
  const recordCount = rows[0]?.[COUNT_COLUMN]
  if (typeof recordCount !== 'number') throw new TypeError('the statement of a page gives no count')
  const found = rows
    .filter((row) => row['id'] !== null)
    .map((row) => records.of(definition, withPairColumns(row, parent?.number, pairs)))
  await readIncludes(found, include, reading)
  await present(reading)
  return { records: found, recordCount }
}

interface Source {
  readonly conditions?: Visibility | undefined
  readonly pairs?: readonly RelatedPair[] | undefined
}

/** What code decides of the rows that the parent leads to: their conditions where it has them, or else all of them. */
const sourceOf = async ({ number, relationship }: Parent, reading: Reading): Promise<Source> => {
  const { virtual } = relationship
  const paged = virtual === undefined ? undefined : reading.registry.facts.pagedRelationships[virtual]
  if (paged !== undefined) return { conditions: await paged(number, reading) }
  return { pairs: await computedPairs(relationship, [number], new Map(), reading) }
}
