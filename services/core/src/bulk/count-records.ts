/** The records that a job is about, counted when it is asked for. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Reading } from '../engine/read/read-includes.ts'
import { readPage } from '../engine/read/read-page.ts'

export const RECORDS_MAX = 10_000

export const CONCURRENT_MAX = 10

export const countRecords = async (
  definition: ResourceDefinition,
  query: ListQuery,
  reading: Reading,
): Promise<number> => {
  const counting = { ...query, include: {}, sorts: [], page: { number: 1, size: 1 } }
  return (await readPage(definition, counting, reading)).recordCount
}

/** One job is about at most 10,000 records. */
export const tooManyRecords = (count: number): readonly WriteViolation[] => {
  if (count <= RECORDS_MAX) return []
  const message = `must be less than or equal to ${RECORDS_MAX}; narrow the filters`
  const at = { attribute: 'records_count' }
  return [{ at, error: 'less_than_or_equal_to', message, value: count, count: RECORDS_MAX }]
}

/** Records that are made later are not of the job. */
export const lastNumber = async (
  { table }: ResourceDefinition,
  { run, scope }: Pick<Reading, 'run' | 'scope'>,
): Promise<number> => {
  const text = `SELECT coalesce(max(id), 0) AS last FROM ${table} WHERE environment_id = $1`
  const [row] = await run<{ readonly last: number }>({ text, values: [scope.environmentId] })
  return row?.last ?? 0
}
