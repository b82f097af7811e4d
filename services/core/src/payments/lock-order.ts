import type { Row } from '@merx/jsonapi/attributes'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

/** Nobody else writes the order or its payment until the transaction ends. `number` is $2 of the expression. */
export const lockOrder = async (
  expression: string,
  number: number,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<Row | undefined> => {
  const text = `SELECT * FROM orders WHERE environment_id = $1 AND id = ${expression} FOR NO KEY UPDATE`
  const [order] = await run({ text, values: [scope.environmentId, number] })
  return order
}
