/** The states a job goes through by itself, in the change log, with the topics of its state machine. */
import type { Row } from '@merx/jsonapi/attributes'
import { logChanges } from '../engine/change-log/log-changes.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'
import type { AnyStateMachine } from '../states/define-state-machine.ts'
import type { JobTable } from './job-rows.ts'
import { cleanupStates, exportStates, importStates } from './job-states.ts'

export interface JobChange {
  readonly table: JobTable
  readonly environmentId: number
  readonly number: number
  readonly from: string
  readonly to: string
}

const MACHINES: Readonly<Record<JobTable, AnyStateMachine>> = {
  imports: importStates,
  exports: exportStates,
  cleanups: cleanupStates,
}

/** A job that is over within its first step was started all the same. */
export const logStatus = async (
  { table, environmentId, number, from, to }: JobChange,
  registry: Registry,
  run: RunStatement,
): Promise<void> => {
  const definition = registry.require(table)
  const path = from === 'pending' && to !== 'in_progress' ? [from, 'in_progress', to] : [from, to]
  const changes = path.slice(1).flatMap((status, at) => {
    const previous = path[at]
    if (previous === undefined || previous === status) return []
    const before: Row = { status: previous }
    const topics = topicsBetween(MACHINES[table], previous, status)
    return [{ definition, number, before, after: { status }, topics }]
  })
  await logChanges(changes, { run, registry, environmentId, actor: WORKER })
}

/** Throws when the machine has no such transition: a mistake of the worker. */
const topicsBetween = ({ transitions }: AnyStateMachine, from: string, to: string): readonly string[] => {
  const found = Object.values(transitions).find((each) => each.to === to && each.from.includes(from))
  if (found === undefined) throw new Error(`a job cannot go from ${from} to ${to}`)
  return found.topic === undefined ? [] : [found.topic]
}

/** core-conventions.md 8.5: a worker is one of those who write. */
const WORKER: Row = { worker: { type: 'job' } }
