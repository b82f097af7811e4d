/** Why an order could not be placed later, or what a validation found, as its resource_errors. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'

export interface ErrorsOfOrder {
  /** Columns of the order. */
  readonly set: Row
  readonly writes: readonly RowWrite[]
}

type Step = Pick<ReactionStep, 'run' | 'registry'> & {
  readonly scope: Pick<ReactionStep['scope'], 'environmentId'>
}

const READ = `SELECT * FROM resource_errors
  WHERE environment_id = $1 AND resource_type = 'orders' AND resource_id = $2 ORDER BY id`

export const withoutErrors = (order: number, step: Step): Promise<ErrorsOfOrder> =>
  withErrors(order, [], step)

/** In place of those that it has. */
export const withErrors = async (
  order: number,
  violations: readonly WriteViolation[],
  { run, registry, scope }: Step,
): Promise<ErrorsOfOrder> => {
  const definition = registry.require('resource_errors')
  const before = await run<RowOf<'ResourceError'>>({ text: READ, values: [scope.environmentId, order] })
  return {
    set: { errors_count: violations.length },
    writes: [
      ...before.map((row) => ({ definition, before: row, columns: undefined })),
      ...violations.map(({ at, error, message }) => ({
        definition,
        before: undefined,
        columns: {
          resource_type: 'orders',
          resource_id: order,
          name: nameOf(at),
          code: error,
          message,
        },
      })),
    ],
  }
}

const nameOf = (at: WriteViolation['at']): string => {
  if (at === undefined) return 'base'
  return 'attribute' in at ? at.attribute : at.relationship
}
