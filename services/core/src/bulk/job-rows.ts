/** Common parts of imports, exports and cleanups, whose rows are a queue. */
import { randomBytes } from 'node:crypto'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Reading } from '../engine/read/read-includes.ts'

export type JobTable = 'imports' | 'exports' | 'cleanups'

/** Names the file of a job; nobody can guess one. */
export const randomKey = (): string => randomBytes(24).toString('base64url')

/** More jobs at once would only wait for each other. */
export const tooManyJobs = async (
  table: JobTable,
  max: number,
  { run, scope }: Pick<Reading, 'run' | 'scope'>,
): Promise<readonly WriteViolation[]> => {
  const [row] = await run<{ readonly count: number }>({
    text: `SELECT count(*) AS count FROM ${table} WHERE environment_id = $1 AND status IN ('pending', 'in_progress')`,
    values: [scope.environmentId],
  })
  if ((row?.count ?? 0) < max) return []
  const message = `must be less than or equal to ${max} ${table} pending or in progress; wait until one is over`
  return [{ error: 'less_than_or_equal_to', message, count: max }]
}
