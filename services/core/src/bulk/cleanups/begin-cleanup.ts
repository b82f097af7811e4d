/** POST /api/cleanups: the request is validated and its records counted; a worker deletes them. */
import { AppErrors } from '@merx/errors/app-error'
import type { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { requirePermission } from '../../access/permissions.ts'
import { requireReadable } from '../../access/require-readable.ts'
import type { CreateContext, PreparedCreate } from '../../engine/area.ts'
import type { Reading } from '../../engine/read/read-includes.ts'
import { CONCURRENT_MAX, countRecords, lastNumber, tooManyRecords } from '../count-records.ts'
import { toListQuery } from '../exports/export-shape.ts'
import { tooManyJobs } from '../job-rows.ts'

/** What is made in bulk, and can be made again (core-conventions.md 12.3). */
export const CLEANABLE = [
  'bundles',
  'gift_cards',
  'prices',
  'promotions',
  'sku_lists',
  'sku_options',
  'skus',
  'stock_items',
] as const

/** The query of the records that a cleanup deletes. Throws AppErrors with every violation, as a list would. */
export const queryOfCleanup = (
  filters: unknown,
  definition: ResourceDefinition,
  registry: Reading['registry'],
): ListQuery => toListQuery({ includes: [], fields: [], filters }, definition, registry)

/** Throws `unauthorized` when the caller may not list or delete the records, and every violation (422). */
export const beginCleanup = async (
  request: WriteRequest,
  { caller, reading, actor }: CreateContext,
): Promise<PreparedCreate> => {
  const definition = cleanedType(request.attributes.get('resource_type'), reading)
  throwViolations(await tooManyJobs('cleanups', CONCURRENT_MAX, reading))
  requirePermission(caller, definition, 'list')
  for (const deleted of concreteTypes(definition, reading)) requirePermission(caller, deleted, 'delete')
  const query = readQuery(request.attributes.get('filters'), definition, reading)
  requireReadable(query, definition, caller, reading.registry)
  const count = await countRecords(definition, query, reading)
  throwViolations(tooManyRecords(count))
  return {
    request,
    columns: {
      records_count: count,
      final_record_id: await lastNumber(definition, reading),
      requested_by: { scope: reading.scope, who: actor },
    },
  }
}

/** Rows are of these types, which roles name. */
const concreteTypes = (
  definition: ResourceDefinition,
  { registry }: Reading,
): readonly ResourceDefinition[] =>
  definition.abstract === undefined
    ? [definition]
    : definition.abstract.members.map((member) => registry.require(member))

const cleanedType = (type: unknown, { registry }: Reading): ResourceDefinition => {
  const name = CLEANABLE.find((each) => each === type)
  if (name !== undefined) return registry.require(name)
  const isBlank = type === undefined || type === null || type === ''
  const message = isBlank ? "can't be blank" : `cannot be cleaned up; allowed: ${CLEANABLE.join(', ')}`
  const error = isBlank ? 'blank' : 'inclusion'
  throwViolations([{ at: { attribute: 'resource_type' }, error, message, value: type }])
  throw new TypeError('a violation was not refused')
}

const readQuery = (filters: unknown, definition: ResourceDefinition, { registry }: Reading): ListQuery => {
  try {
    return queryOfCleanup(filters, definition, registry)
  } catch (error) {
    if (!(error instanceof AppErrors)) throw error
    throwViolations(error.errors.map(toViolation))
    throw new TypeError('a violation was not refused', { cause: error })
  }
}

const toViolation = ({ detail }: AppError): WriteViolation => ({
  at: { attribute: 'filters' },
  error: 'invalid',
  message: detail ?? 'is invalid',
})
