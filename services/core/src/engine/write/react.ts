/** Reactions: what follows from an event in the same transaction, in another area than the one that emits it. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { numberOf, persist } from './persist.ts'
import type { RowWrite } from './persist.ts'
import type { WorkflowStep } from './write-workflow.ts'

export interface ReactionContext {
  readonly topic: string
  /** The row of the event as it was written; its columns may have changed again since. */
  readonly row: Row
  readonly step: ReactionStep
}

export type ReactionStep = Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'actor' | 'now' | 'answers'>

/** Plans writes of other rows, or of the same one. It reads what it needs; all writes before it are stored. */
export type Reaction = (context: ReactionContext) => Promise<readonly RowWrite[]>

/** A row that was written with these topics. */
export interface WrittenRow {
  readonly definition: ResourceDefinition
  readonly row: Row
  readonly topics: readonly string[]
}

/** Reactions to reactions end; more of them than this are a circle. */
const REACTIONS_MAX = 50

/**
 * Persists rows, then what the areas add in reaction to their events and to those of `stored`. Returns every row that was
 * written.
 */
export const persistAndReact = async (
  writes: readonly RowWrite[],
  step: ReactionStep,
  stored: readonly WrittenRow[] = [],
): Promise<readonly WrittenRow[]> => {
  const rows = await persistRows(writes, step)
  return [...rows, ...(await react([...stored, ...rows], step))]
}

const react = async (written: readonly WrittenRow[], step: ReactionStep): Promise<readonly WrittenRow[]> => {
  const { reactions } = step.registry.facts
  const later: WrittenRow[] = []
  const eventsOf = (rows: readonly WrittenRow[]) =>
    rows.flatMap(({ row, topics }) => topics.map((topic) => ({ topic, row })))
  const waiting = eventsOf(written)
  let count = 0
  for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
    for (const reaction of reactions[event.topic] ?? []) {
      count += 1
      if (count > REACTIONS_MAX) throw new Error(`${event.topic} is reacted to without end`)
      const rows = await persistRows(await reaction({ ...event, step }), step)
      later.push(...rows)
      waiting.push(...eventsOf(rows))
    }
  }
  return later
}

/** A deleted row is as it was. */
export const persistRows = async (
  writes: readonly RowWrite[],
  { run, registry, scope, actor }: ReactionStep,
): Promise<readonly WrittenRow[]> => {
  const rows = await persist(writes, { run, registry, environmentId: scope.environmentId, actor })
  return writes.flatMap(({ definition, before, topics = [] }, at) => {
    const row = rows[at] ?? before
    return row === undefined ? [] : [{ definition, row, topics }]
  })
}

/** The row as the last of the writes left it. */
export const latestOf = (
  row: Row,
  { type }: Pick<ResourceDefinition, 'type'>,
  written: readonly WrittenRow[],
): Row =>
  written.findLast((each) => each.definition.type === type && numberOf(each.row) === numberOf(row))?.row ??
  row
