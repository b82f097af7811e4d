/** An address by its number. */
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export const findAddress = async (
  number: number | null | undefined,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<RowOf<'Address'> | undefined> => {
  if (typeof number !== 'number') return undefined
  const [row] = await run(selectRow('addresses', scope.environmentId, number, false))
  return row === undefined ? undefined : rowOf('Address', row)
}
