import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../engine/database/run-statement.ts'

/** Nobody else writes the order or its payment until the transaction ends. `number` is $2 of the expression. */
export const lockOrder = async (
  expression: string,
  number: number,
  { run, scope }: { readonly run: RunStatement; readonly scope: { readonly environmentId: number } },
): Promise<Row | undefined> => {
  const text = `SELECT * FROM orders WHERE environment_id = $1 AND id = ${expression} FOR NO KEY UPDATE`
  const [order] = await run({ text, values: [scope.environmentId, number] })
  return order
}
