/** Updates a row of any type: load and lock, check permission, validate, complete, persist with the log, check what it became. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { selectRow } from '../sql/select-rows.ts'
import { ROW_VERSION_COLUMN } from '../sql/selection.ts'
import { completeWrite } from './complete-write.ts'
import { isRowHeld } from './outside-calls.ts'
import { numberOf } from './persist.ts'
import { requireCoveredAfter, requireCoveredBefore } from './require-covered.ts'
import { runWrite } from './run-write.ts'
import type { WriteContext } from './run-write.ts'
import { validate } from './validate.ts'

/** Returns the row as it is after. `seen` is the row as the caller read it. Throws AppError `record_not_found`. */
export const update = (
  definition: ResourceDefinition,
  seen: Row,
  request: WriteRequest,
  context: WriteContext,
): Promise<Row> =>
  runWrite(definition, request, context, async (attempt) => {
    const { isAlone, workflow, reading, persisting } = attempt
    const { run } = persisting
    const number = numberOf(seen)
    if (isAlone && typeof seen[ROW_VERSION_COLUMN] !== 'string') return undefined
    const locked = await workflow.lockForChange?.(number, attempt.step)
    const { checkVersion } = context
    const [found] = isAlone
      ? [seen]
      : await run(
          selectRow(
            definition.table,
            persisting.environmentId,
            number,
            true,
            undefined,
            checkVersion !== undefined,
          ),
        )
    if (found === undefined) throw new AppError('record_not_found')
    const { [ROW_VERSION_COLUMN]: rowVersion, ...before } = found
    if (!isRowHeld(attempt.step.answers)) checkVersion?.(String(rowVersion))
    const covering = { reading, run }
    await requireCoveredBefore(definition, number, 'update', covering)
    const validated = await validate(definition, request, before, attempt.validation)
    const row = await completeWrite(
      { definition, request, before, number: async () => number, earlier: context.earlier, rowVersion },
      validated,
      { ...attempt, step: { ...attempt.step, locked } },
    )
    if (row === undefined) return undefined
    await requireCoveredAfter(definition, number, 'update', covering)
    await context.afterwards?.(row, persisting.environmentId, run)
    await (isAlone ? context.keyed?.storeMore(row, run) : context.keyed?.store(row, run))
    return row
  })
