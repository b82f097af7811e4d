/** The resource an address names, if this caller may see it. */
import { AppError } from '@merx/errors/app-error'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { existsOutOfScope, findRecord } from '../store/read-one.ts'
import type { OpenRecord } from '../store/records.ts'
import type { CoreRequest } from './request.ts'

/**
 * Throws AppError `record_not_found`; to a sales channel a row of its environment that its scope hides, for example
 * a SKU that is not sellable, is `unauthorized` instead (core-conventions.md 9.2).
 */
export const requireVisible = async (
  definition: ResourceDefinition,
  id: string,
  { reading }: CoreRequest,
): Promise<OpenRecord> => {
  const number = reading.registry.ids.decode(idTypeOf(definition), id)
  if (number === undefined) throw new AppError('record_not_found')
  const record = await findRecord(definition, number, reading)
  if (record !== undefined) return record
  const isHidden =
    reading.scope.salesChannel !== undefined && (await existsOutOfScope(definition, number, reading))
  throw new AppError(isHidden ? 'unauthorized' : 'record_not_found')
}
