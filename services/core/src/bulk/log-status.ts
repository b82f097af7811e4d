/** The states a job goes through by itself, in the change log: `imports.start`, `exports.complete` and the like. */
import type { Row } from '@merx/jsonapi/attributes'
import { logChanges } from '../engine/change-log/log-changes.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'
import type { JobTable } from './job-rows.ts'

export interface JobChange {
  readonly table: JobTable
  readonly environmentId: number
  readonly number: number
  readonly from: string
  readonly to: string
}

/** A job that is over within its first step was started all the same. */
export const logStatus = async (
  { table, environmentId, number, from, to }: JobChange,
  registry: Registry,
  run: RunStatement,
): Promise<void> => {
  const definition = registry.require(table)
  const path = from === 'pending' && to !== 'in_progress' ? [from, 'in_progress', to] : [from, to]
  const changes = path.slice(1).map((status, at) => {
    const before: Row = { status: path[at] }
    return { definition, number, before, after: { status } }
  })
  const moved = changes.filter(({ before, after }) => before['status'] !== after.status)
  await logChanges(moved, { run, registry, environmentId, actor: WORKER })
}

/** core-conventions.md 8.5: a worker is one of those who write. */
const WORKER: Row = { worker: { type: 'job' } }
