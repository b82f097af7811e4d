/** A list query → the records of one page and how many there are in all. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import { KEPT_COLUMN, selectKeptPage } from '../../store/sql/select-kept-page.ts'
import { createParams } from '../sql/params.ts'
import type { Build } from '../sql/relations.ts'
import { COUNT_COLUMN, selectPage } from '../sql/select-page.ts'
import type { PageRequest, Parent } from '../sql/select-page.ts'
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
  const { records } = reading
  const { filters, sorts, page, include } = query
  const request = { definition, filters, sorts, page, ...(parent === undefined ? {} : { parent }) }
  const rows = (await readKeptRows(request, reading)) ?? (await readRows(request, reading))
  const recordCount = rows[0]?.[COUNT_COLUMN]
  if (typeof recordCount !== 'number') throw new TypeError('the statement of a page gives no count')
  const found = rows.filter((row) => row['id'] !== null).map((row) => records.of(definition, row))
  await readIncludes(found, include, reading)
  return { records: found, recordCount }
}

const buildFor = ({ registry, scope }: Reading): Build => ({
  registry,
  scope,
  params: createParams(scope.environmentId),
})

const readRows = (request: PageRequest, reading: Reading): Promise<readonly Row[]> =>
  reading.run(selectPage(request, buildFor(reading)))

/** Undefined when the list is not kept, or not yet. */
const readKeptRows = async (request: PageRequest, reading: Reading): Promise<readonly Row[] | undefined> => {
  const { run, scope, codeStarts } = reading
  const kept = selectKeptPage(request, buildFor(reading))
  if (kept === undefined) return undefined
  if (kept.codeStart !== undefined) codeStarts?.note(scope.environmentId, kept.codeStart)
  const rows = await run(kept.statement)
  return rows[0]?.[KEPT_COLUMN] === true ? rows : undefined
}
