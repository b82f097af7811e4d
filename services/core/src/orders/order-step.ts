/** What the commands of an order share: its lines as the request leaves them, and the guard of the stored status. */
import type { Row } from '@merx/jsonapi/attributes'
import type { CommandContext, CommandOutcome } from '../engine/write/commands.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { PlannedTransition } from '../states/transition.ts'
import { linesAfter, NEW_LINE, readLines } from './order-lines.ts'

/** The lines as they are stored, with what the same request does to them. */
export const plannedLines = async (
  order: number,
  planned: readonly RowWrite[],
  step: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly Row[]> => {
  const lines = new Map(linesAfter(await readLines(order, step)).map((line) => [numberOf(line), line]))
  const added: Row[] = []
  for (const { definition, number, before, columns } of planned) {
    if (definition.type !== 'line_items') continue
    const existing = number ?? (before === undefined ? undefined : numberOf(before))
    if (existing === undefined) added.push({ ...NEW_LINE, ...columns })
    else if (columns === undefined) lines.delete(existing)
    else lines.set(existing, { ...lines.get(existing), ...before, ...columns, id: existing })
  }
  return [...lines.values(), ...added]
}

export const isRefused = ({ violations = [] }: CommandOutcome): boolean => violations.length > 0

/** Whether the transition changes the order; a repeated one does not. */
export const isMoved = ({ violations, set }: PlannedTransition): boolean =>
  violations.length === 0 && 'status' in set

/** The status that must still be stored when the order is written. */
export const expectedStatus = ({ before }: CommandContext): Row =>
  before === undefined ? {} : { status: before['status'] }
