/** The history of one record, newest first, from a cursor on. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { identifier, qualified } from '../sql/identifiers.ts'
import { createParams } from '../sql/params.ts'
import { selection } from '../sql/selection.ts'
import { visibleRows } from '../sql/visible-rows.ts'
import type { Reading } from './read-includes.ts'
import type { OpenRecord } from './records.ts'

export interface HistoryPage {
  readonly records: readonly OpenRecord[]
  readonly hasMore: boolean
}

/** `after` is the number of the last one seen before. */
export const readHistory = async (
  definition: ResourceDefinition,
  owner: Pick<OpenRecord, 'definition' | 'number'>,
  { size, after }: { readonly size: number; readonly after: number | undefined },
  { run, registry, scope, records }: Reading,
): Promise<HistoryPage> => {
  const parent = registry.facts.parents[definition.type]
  if (parent === undefined) throw new Error(`${definition.type} belong to no record`)
  const params = createParams(scope.environmentId)
  const build = { registry, scope, params }
  const conditions = [
    ...visibleRows(definition, 't', build),
    `${qualified('t', parent.type)} = ${params.add(owner.definition.type, 'text')}`,
    `${qualified('t', parent.number)} = ${params.add(owner.number, 'bigint')}`,
    ...(after === undefined ? [] : [`t.id < ${params.add(after, 'bigint')}`]),
  ]
  const text = `SELECT ${selection(definition, 't', build)} FROM ${identifier(definition.table)} AS t
    WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT ${params.add(size + 1, 'bigint')}`
  const rows = await run({ text, values: params.values })
  return {
    records: rows.slice(0, size).map((row) => records.of(definition, row)),
    hasMore: rows.length > size,
  }
}
