/** One record by number, as far as the request sees it. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RetrieveQuery } from '@merx/jsonapi/query'
import { createParams } from '../sql/params.ts'
import { selectByNumbers } from '../sql/select-page.ts'
import { present } from './present.ts'
import { readIncludes } from './read-includes.ts'
import type { Reading } from './read-includes.ts'
import type { OpenRecord } from './records.ts'

/** Undefined when there is none, or none that the request's scope shows. */
export const findRecord = async (
  definition: ResourceDefinition,
  number: number,
  { run, registry, scope, records }: Reading,
  isToBeChanged = false,
): Promise<OpenRecord | undefined> => {
  const build = { registry, scope, params: createParams(scope.environmentId) }
  const [row] = await run(selectByNumbers(definition, [number], build, isToBeChanged))
  return row === undefined ? undefined : records.of(definition, row)
}

/** Whether the environment has the row at all, although the request's scope does not show it. */
export const existsOutOfScope = async (
  definition: ResourceDefinition,
  number: number,
  reading: Reading,
): Promise<boolean> => (await findUnscoped(definition, number, reading)) !== undefined

/** A row of the environment, whatever the request's scope. */
export const findUnscoped = (
  definition: ResourceDefinition,
  number: number,
  reading: Reading,
): Promise<OpenRecord | undefined> => findRecord(definition, number, unscoped(reading))

/** A row of the environment that the restrictions of the caller's permission cover, whatever its scope. */
export const findCovered = (
  definition: ResourceDefinition,
  number: number,
  reading: Reading,
): Promise<OpenRecord | undefined> => {
  const { environmentId, organizationId, mode, restrictions } = reading.scope
  const scope = { environmentId, organizationId, mode, restrictions }
  return findRecord(definition, number, { ...reading, scope })
}

const unscoped = (reading: Reading): Reading => {
  const { environmentId, organizationId, mode } = reading.scope
  return { ...reading, scope: { environmentId, organizationId, mode } }
}

/**
 * Includes, and the attributes that only a single resource shows and that need a query of their own, unless a sparse
 * fieldset leaves them out.
 */
export const completeRecord = (record: OpenRecord, query: RetrieveQuery, reading: Reading): Promise<void> =>
  completeRecords([record], query, reading)

/** Of several records, each of which gets a document of its own. */
export const completeRecords = async (
  records: readonly OpenRecord[],
  { include, fields }: RetrieveQuery,
  reading: Reading,
): Promise<void> => {
  for (const record of records) {
    const { attributes, type } = record.definition
    const names = fields.get(type)
    for (const [name, { loader }] of Object.entries(attributes)) {
      if (loader === undefined || names?.has(name) === false) continue
      const load = reading.registry.facts.attributeLoaders[loader]
      if (load === undefined) throw new Error(`no attribute loader is named "${loader}"`)
      record.loaded.set(name, await load(record, reading))
    }
  }
  await readIncludes(records, include, reading)
  await present(reading)
}
