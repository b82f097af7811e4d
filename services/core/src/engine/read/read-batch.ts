/** The next records of a list by number, without counting the ones after them. */
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import { filterConditions } from '../sql/filters.ts'
import { identifier } from '../sql/identifiers.ts'
import { createParams } from '../sql/params.ts'
import { selection } from '../sql/selection.ts'
import { visibleRows } from '../sql/visible-rows.ts'
import { readIncludes } from './read-includes.ts'
import type { Reading } from './read-includes.ts'
import type { OpenRecord } from './records.ts'

export interface Batch {
  readonly records: readonly OpenRecord[]
  readonly hasMore: boolean
}

/** At most `size` records that match, in the order of their numbers. */
export const readBatch = async (
  definition: ResourceDefinition,
  { filters, include }: Pick<ListQuery, 'filters' | 'include'>,
  size: number,
  reading: Reading,
): Promise<Batch> => {
  const { run, registry, scope, records } = reading
  const params = createParams(scope.environmentId)
  const build = { registry, scope, params }
  const conditions = [...visibleRows(definition, 't', build), ...filterConditions(filters, 't', build)]
  const text = `SELECT ${selection(definition, 't', build)} FROM ${identifier(definition.table)} AS t
    WHERE ${conditions.join(' AND ')} ORDER BY t.id LIMIT ${params.add(size + 1, 'bigint')}`
  const rows = await run({ text, values: params.values })
  registry.ids.prepare(
    idTypeOf(definition),
    rows.map(({ id }) => Number(id)),
  )
  const found = rows.slice(0, size).map((row) => records.of(definition, row))
  await readIncludes(found, include, reading)
  return { records: found, hasMore: rows.length > size }
}
