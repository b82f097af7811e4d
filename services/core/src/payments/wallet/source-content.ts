/** What payment sources say besides whose they are: two that say the same pay in the same way. */
import { isDeepStrictEqual } from 'node:util'
import type { Row } from '@merx/jsonapi/attributes'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'

const OWN_COLUMNS: readonly string[] = [
  'id',
  'environment_id',
  'order_id',
  'reference',
  'reference_origin',
  'metadata',
  'created_at',
  'updated_at',
]

export const contentOf = (source: Row): Row =>
  Object.fromEntries(Object.entries(source).filter(([column]) => !OWN_COLUMNS.includes(column)))

export const isSameContent = (one: Row, other: Row): boolean =>
  isDeepStrictEqual(contentOf(one), contentOf(other))

/** `type` is that of the source, `number` its row. */
export const findSource = async (
  type: string | null | undefined,
  number: number | null | undefined,
  { run, registry, scope }: Pick<WorkflowStep, 'run' | 'registry' | 'scope'>,
): Promise<Row | undefined> => {
  if (typeof type !== 'string' || typeof number !== 'number') return undefined
  const [source] = await run(selectRow(registry.require(type).table, scope.environmentId, number, false))
  return source
}
