/** The resource an address names, if this caller may see it. */
import { AppError } from '@merx/errors/app-error'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { restrictionsAt } from '../access/restrictions.ts'
import { existsOutOfScope, findRecord } from '../engine/read/read-one.ts'
import type { OpenRecord } from '../engine/read/records.ts'
import type { CoreRequest } from './request.ts'

/**
 * Throws AppError `record_not_found`; a row of the environment that the scope of a sales channel hides, for example
 * a SKU that is not sellable, is `unauthorized` instead (core-conventions.md 9.2), and so is one that the restrictions
 * of a custom role hide.
 */
export const requireVisible = async (
  definition: ResourceDefinition,
  id: string,
  { reading }: CoreRequest,
  isToBeChanged = false,
): Promise<OpenRecord> => {
  const number = reading.registry.ids.decode(idTypeOf(definition), id)
  if (number === undefined) throw new AppError('record_not_found')
  const record = await findRecord(definition, number, reading, isToBeChanged)
  if (record !== undefined) return record
  const { salesChannel, restrictions } = reading.scope
  const isNarrowed =
    salesChannel !== undefined || restrictionsAt(definition, restrictions, reading.registry).length > 0
  const isHidden = isNarrowed && (await existsOutOfScope(definition, number, reading))
  throw new AppError(isHidden ? 'unauthorized' : 'record_not_found')
}
