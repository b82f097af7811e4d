/** Creates a row of any type: lock, validate, complete, persist with the log, check what it became. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { Registry } from '../registry.ts'
import type { ColumnValues } from '../sql/column-values.ts'
import { reserveNumbers } from '../sql/reserve-numbers.ts'
import { completeWrite } from './complete-write.ts'
import { numberOf } from './persist.ts'
import { requireCoveredAfter } from './require-covered.ts'
import { runWrite } from './run-write.ts'
import type { Attempt, WriteContext } from './run-write.ts'
import { validate } from './validate.ts'

/**
 * Returns the new row, or the existing one that the workflow of the type changed in its place. `given` are columns that no
 * request can send.
 */
export const create = (
  definition: ResourceDefinition,
  request: WriteRequest,
  context: WriteContext,
  given: ColumnValues = {},
): Promise<Row> =>
  runWrite(definition, request, context, async (attempt) => {
    const { workflow, reading, persisting } = attempt
    const locked = await workflow.lockForCreate?.(request, attempt.step)
    const step = { ...attempt.step, locked }
    const validated = await validate(definition, request, undefined, attempt.validation)
    const isRefused = validated.violations.length > 0 || context.earlier !== undefined
    const existing = isRefused ? undefined : await workflow.findExisting?.(validated.columns, request, step)
    const before = existing?.before
    const columns = existing?.columns ?? {
      ...validated.columns,
      ...familyColumns(definition, step.registry),
      ...given,
    }
    const number = async (): Promise<number> =>
      before === undefined ? reserve(definition, attempt, context) : numberOf(before)
    const row = await completeWrite(
      { definition, request, before, number, earlier: context.earlier },
      { ...validated, columns },
      { ...attempt, step },
    )
    if (row === undefined) return undefined
    const { run, environmentId } = persisting
    await requireCoveredAfter(definition, numberOf(row), 'create', { reading, run })
    await context.afterwards?.(row, environmentId, run)
    await (attempt.isAlone ? context.keyed?.storeMore(row, run) : context.keyed?.store(row, run))
    return row
  })

/** The number comes first, because the version has the public id: writers of the same turn share the statement. */
const reserve = async (
  { table }: ResourceDefinition,
  { isAlone, step }: Attempt,
  { own }: WriteContext,
): Promise<number> => {
  if (isAlone && own !== undefined) return own.numbers.next(table)
  const [reserved] = await step.run(reserveNumbers(table, 1))
  return numberOf(reserved ?? {})
}

/** The column that says which of the types that share a table a row has. */
export const familyColumns = ({ type, memberOf }: ResourceDefinition, registry: Registry): ColumnValues => {
  const typeColumn = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  return typeColumn === undefined ? {} : { [typeColumn]: type }
}
