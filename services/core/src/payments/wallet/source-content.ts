/** What payment sources say besides whose they are: two that say the same pay in the same way. */
import { isDeepStrictEqual } from 'node:util'
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../../engine/database/rows.ts'
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

const contentOf = (source: Row): Row =>
  Object.fromEntries(Object.entries(source).filter(([column]) => !OWN_COLUMNS.includes(column)))

/** What a wallet entry pays with: its source, with the token that the gateway gave for later orders. */
export const contentOfEntry = (
  { payment_source_token: token }: Pick<RowOf<'CustomerPaymentSource'>, 'payment_source_token'>,
  source: Row,
): Row =>
  token !== null && 'payment_source_token' in source
    ? { ...contentOf(source), payment_source_token: token }
    : contentOf(source)

export const saysSame = (content: Row, source: Row): boolean => isDeepStrictEqual(content, contentOf(source))

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
