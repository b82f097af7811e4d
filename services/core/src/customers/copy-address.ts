/** Copies of addresses: an order keeps its own, whatever becomes of the address it was taken from. */
import { isDeepStrictEqual } from 'node:util'
import type { Row } from '@merx/jsonapi/attributes'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

/** What makes the row another one. Everything else is copied, the reference too. */
const OWN_COLUMNS: readonly string[] = ['id', 'environment_id', 'created_at', 'updated_at']

const contentOf = (address: Row): Row =>
  Object.fromEntries(Object.entries(address).filter(([column]) => !OWN_COLUMNS.includes(column)))

/** Another row, with the same content. */
export const isCopyOf = (copy: Row, address: Row): boolean =>
  copy['id'] !== address['id'] && isDeepStrictEqual(contentOf(copy), contentOf(address))

/** Writes a new address with the same content. Returns its number. */
export const copyAddress = async (
  address: Row,
  { run, registry, scope: { environmentId }, actor }: WorkflowStep,
): Promise<number> => {
  const write = {
    definition: registry.require('addresses'),
    before: undefined,
    columns: contentOf(address),
  }
  const [copy] = await persist([write], { run, registry, environmentId, actor })
  return numberOf(copy ?? {})
}
