/** Copies of addresses: an order keeps its own, whatever becomes of the address it was taken from. */
import type { Row } from '@merx/jsonapi/attributes'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

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
