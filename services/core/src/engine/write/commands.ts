/** Commands: what trigger attributes start that is more than setting columns, after everything else of the write is planned. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RowWrite } from './persist.ts'
import type { Consequences, WorkflowStep } from './write-workflow.ts'

export interface CommandContext {
  readonly number: number
  /** The row as it was locked; undefined when it is new. */
  readonly before: Row | undefined
  /** The row as the rest of the request and the commands before this one leave it. */
  readonly row: Row
  /** Writes of other rows that are planned so far. */
  readonly writes: readonly RowWrite[]
  /** What the trigger carried: `true`, a text or a number. */
  readonly value: unknown
  readonly request: WriteRequest
  readonly step: WorkflowStep
}

export interface CommandOutcome extends Omit<Consequences, 'earlier'> {
  /** Why the whole write is refused; then nothing else of the outcome counts. */
  readonly violations?: readonly WriteViolation[]
  /** Texts that columns must still have when the row is written, such as the old state. */
  readonly expected?: Row
}

/** A repeated command returns nothing to do: it succeeds and changes nothing. */
export interface Command {
  /** A trigger of the type with `isCommand`. */
  readonly trigger: `_${string}`
  /** In the transaction of the write, with the row locked. Calls the outside by `askOutside` alone, which ends the plan. */
  readonly run: (context: CommandContext) => Promise<CommandOutcome>
}

export type PlannedCommands = Required<CommandOutcome>

/**
 * Runs those whose trigger was sent, in the order of the area's list, whatever the order of the request. Each sees what the
 * ones before have set; the first that is refused is the last that runs.
 */
export const runCommands = async (
  commands: readonly Command[],
  context: Omit<CommandContext, 'value'>,
): Promise<PlannedCommands> => {
  let planned: PlannedCommands = { violations: [], set: {}, expected: {}, writes: [], topics: [] }
  for (const { trigger, run } of commands) {
    if (!context.request.triggers.has(trigger)) continue
    const row = { ...context.row, ...planned.set }
    const writes = [...context.writes, ...planned.writes]
    const value = context.request.triggers.get(trigger)
    const outcome = await run({ ...context, row, writes, value })
    const { violations = [], set = {}, expected = {} } = outcome
    if (violations.length > 0) return { ...planned, violations }
    planned = {
      violations,
      set: { ...planned.set, ...set },
      // what an earlier command expects is of the row as it is stored
      expected: { ...expected, ...planned.expected },
      writes: [...planned.writes, ...(outcome.writes ?? [])],
      topics: [...planned.topics, ...(outcome.topics ?? [])],
    }
  }
  return planned
}
