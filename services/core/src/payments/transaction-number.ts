import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

/** `<order>/T/<nnn>`; a number that is taken, because orders can be renumbered, is left out. */
export const transactionNumber = async (
  order: Row,
  planned: readonly Row[],
  position: number,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<string> => {
  const prefix = `${rowOf('Order', order).number}/T/`
  const text = 'SELECT 1 FROM transactions WHERE environment_id = $1 AND number = $2'
  for (let next = position; ; next += 1) {
    const number = `${prefix}${String(next).padStart(3, '0')}`
    if (planned.some((row) => row['number'] === number)) continue
    const [taken] = await run({ text, values: [scope.environmentId, number] })
    if (taken === undefined) return number
  }
}
