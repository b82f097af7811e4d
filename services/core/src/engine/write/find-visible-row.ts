/** The row that an id in an attribute means, such as the one of a trigger: if the writer sees it. */
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import { createParams } from '../sql/params.ts'
import { selectByNumbers } from '../sql/select-page.ts'
import { selectRow } from '../sql/select-rows.ts'
import type { WorkflowStep } from './write-workflow.ts'

/** `Found` is the row of the type's table. */
export const findVisibleRow = async <Found extends Row>(
  type: string,
  id: string,
  { run, registry, scope }: WorkflowStep,
): Promise<Found | undefined> => {
  const definition = registry.require(type)
  const number = registry.ids.decode(idTypeOf(definition), id)
  if (number === undefined) return undefined
  const build = { registry, scope, params: createParams(scope.environmentId) }
  const [seen] = await run(selectByNumbers(definition, [number], build))
  if (seen === undefined) return undefined
  const [row] = await run<Found>(selectRow(definition.table, scope.environmentId, number, false))
  return row
}
