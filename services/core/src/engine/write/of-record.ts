/** Rows that belong to a record of one of several types: the record stays while one is written, because no foreign key says so. */
import type { Row } from '@merx/jsonapi/attributes'
import { identifier } from '../sql/identifiers.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from './write-workflow.ts'

/** Locks the record where the row did not belong to it before. `relationship` has the columns `<name>_type` and `<name>_id`. */
export const lockRecord = async (
  relationship: string,
  after: Row,
  before: Row | undefined,
  { run, registry, scope }: Pick<WorkflowStep, 'run' | 'registry' | 'scope'>,
): Promise<Completion> => {
  const type = after[`${relationship}_type`]
  const number = after[`${relationship}_id`]
  if (before?.[`${relationship}_type`] === type && before?.[`${relationship}_id`] === number) return {}
  const { table } = registry.require(String(type))
  const text = `SELECT id FROM ${identifier(table)} WHERE environment_id = $1 AND id = $2 FOR KEY SHARE`
  const [record] = await run({ text, values: [scope.environmentId, number] })
  if (record !== undefined) return {}
  return { violations: [{ at: { relationship }, error: 'noent', message: "doesn't exist" }] }
}

/** The writes of a type whose rows belong to a record by this relationship. */
export const belongsTo = (relationship: string): WriteWorkflow => ({
  completesFrom: [relationship],
  complete: (after, before, _request, step) => lockRecord(relationship, after, before, step),
})
