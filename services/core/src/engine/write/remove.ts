/** Deletes a row of any type: load and lock, check permission and references, persist with the log and what follows. */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { generalTopics } from '../change-log/topics.ts'
import { selectRow } from '../sql/select-rows.ts'
import { ROW_VERSION_COLUMN } from '../sql/selection.ts'
import { persist } from './persist.ts'
import { refuseDelete } from './refuse-delete.ts'
import { requireCoveredBefore } from './require-covered.ts'
import { runWrite } from './run-write.ts'
import type { WriteContext } from './run-write.ts'
import { toDeleteError } from './write-errors.ts'

/** Throws AppError `locked` while other rows depend on it, `record_not_found` when the row is gone. */
export const remove = async (
  definition: ResourceDefinition,
  number: number,
  context: WriteContext,
): Promise<void> => {
  await runWrite(definition, undefined, context, async ({ workflow, reading, persisting, ...attempt }) => {
    const { run, environmentId } = persisting
    const locked = await workflow.lockForChange?.(number, attempt.step)
    const step = { ...attempt.step, locked }
    const [found] = await run(
      selectRow(definition.table, environmentId, number, true, undefined, context.checkVersion !== undefined),
    )
    if (found === undefined) throw new AppError('record_not_found')
    const { [ROW_VERSION_COLUMN]: rowVersion, ...before } = found
    context.checkVersion?.(String(rowVersion))
    await requireCoveredBefore(definition, number, 'destroy', { reading, run })
    await workflow.refuseDelete?.(before, step)
    await refuseDelete(definition, before, run, reading)
    const {
      earlier = [],
      writes = [],
      topics = [],
    } = (await workflow.consequences?.({ definition, number, before, after: undefined }, undefined, step)) ??
    {}
    const all = [...generalTopics(definition, 'destroy', step.registry), ...topics]
    await persist(earlier, persisting)
    await persist([{ definition, before, columns: undefined, topics: all }], persisting).catch(
      (error: unknown) => {
        throw toDeleteError(error)
      },
    )
    await persist(writes, persisting)
    return true
  })
}
