/** Why an order could not be placed later: rows of resource_errors, which integrations read. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'

export const clearErrors = async (
  order: number,
  { run, registry, scope }: Pick<ReactionStep, 'run' | 'registry' | 'scope'>,
): Promise<readonly RowWrite[]> => {
  const errors = await run<RowOf<'ResourceError'>>({
    text: 'SELECT * FROM resource_errors WHERE environment_id = $1 AND order_id = $2 ORDER BY id',
    values: [scope.environmentId, order],
  })
  const definition = registry.require('resource_errors')
  return errors.map((before) => ({ definition, before, columns: undefined }))
}

export const errorsOfPlacing = (
  order: number,
  violations: readonly WriteViolation[],
  { registry }: Pick<ReactionStep, 'registry'>,
): readonly RowWrite[] =>
  violations.map(({ at, error, message }) => ({
    definition: registry.require('resource_errors'),
    before: undefined,
    columns: {
      name: at === undefined ? 'base' : 'attribute' in at ? at.attribute : at.relationship,
      code: error.toUpperCase(),
      message,
      resource_type: 'orders',
      resource_id: order,
    },
  }))
