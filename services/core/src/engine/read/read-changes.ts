/** The log of one record, newest first, from a cursor on. */
import { createParams } from '../sql/params.ts'
import { selection } from '../sql/selection.ts'
import { rowsSeen } from '../sql/visible-rows.ts'
import type { Reading } from './read-includes.ts'
import type { OpenRecord } from './records.ts'

export interface ChangesPage {
  readonly records: readonly OpenRecord[]
  readonly hasMore: boolean
}

/** `after` is the number of the last one seen before. */
export const readChanges = async (
  owner: Pick<OpenRecord, 'definition' | 'number'>,
  { size, after }: { readonly size: number; readonly after: number | undefined },
  { run, registry, scope, records }: Reading,
): Promise<ChangesPage> => {
  const definition = registry.require('event_stores')
  const params = createParams(scope.environmentId)
  const build = { registry, scope, params }
  const conditions = [
    ...rowsSeen(definition, 't', build),
    `t.resource_type = ${params.add(owner.definition.type, 'text')}`,
    `t.record_id = ${params.add(owner.number, 'bigint')}`,
    ...(after === undefined ? [] : [`t.id < ${params.add(after, 'bigint')}`]),
  ]
  const text = `SELECT ${selection(definition, 't', build)} FROM versions AS t
    WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT ${params.add(size + 1, 'bigint')}`
  const rows = await run({ text, values: params.values })
  return {
    records: rows.slice(0, size).map((row) => records.of(definition, row)),
    hasMore: rows.length > size,
  }
}
