/** Copies of addresses: an order keeps its own, whatever becomes of the address it was taken from. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { createParams } from '../engine/sql/params.ts'
import { selectByNumbers } from '../engine/sql/select-page.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

/** The address with this id, if the writer sees it. */
export const findVisibleAddress = async (
  id: string,
  { run, registry, scope }: WorkflowStep,
): Promise<RowOf<'Address'> | undefined> => {
  const number = registry.ids.decode('addresses', id)
  if (number === undefined) return undefined
  const build = { registry, scope, params: createParams(scope.environmentId) }
  const [seen] = await run(selectByNumbers(registry.require('addresses'), [number], build))
  if (seen === undefined) return undefined
  const [address] = await run(selectRow('addresses', scope.environmentId, number, false))
  return address === undefined ? undefined : rowOf('Address', address)
}

/** What makes the row another one. Everything else is copied, the reference too. */
const OWN_COLUMNS: readonly string[] = ['id', 'environment_id', 'created_at', 'updated_at']

/** Writes a new address with the same content. Returns its number. */
export const copyAddress = async (
  address: Row,
  { run, registry, scope: { environmentId }, actor }: WorkflowStep,
): Promise<number> => {
  const columns = Object.fromEntries(
    Object.entries(address).filter(([column]) => !OWN_COLUMNS.includes(column)),
  )
  const write = { definition: registry.require('addresses'), before: undefined, columns }
  const [copy] = await persist([write], { run, registry, environmentId, actor })
  return numberOf(copy ?? {})
}
