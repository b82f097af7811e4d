/** POST /api/exports: the request is validated and its records counted; a worker writes the file. */
import type { Caller } from '@merx/access-token/caller'
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { may, requirePermission } from '../../access/permissions.ts'
import { requireReadable } from '../../access/require-readable.ts'
import type { CreateContext, PreparedCreate } from '../../engine/area.ts'
import type { Reading } from '../../engine/read/read-includes.ts'
import { CONCURRENT_MAX, countRecords, lastNumber, tooManyRecords } from '../count-records.ts'
import { requesterOf } from '../job-files.ts'
import { randomKey, tooManyJobs } from '../job-rows.ts'
import { fieldsByType, toFields, toListQuery } from './export-shape.ts'
import type { ExportQuestion } from './export-shape.ts'

/** Jobs are not exported, nor is what has no rows of its own. */
export const isExportable = ({ type, isSingleton, operations }: ResourceDefinition): boolean =>
  !isSingleton &&
  operations.includes('list') &&
  !['imports', 'exports', 'cleanups', 'event_stores'].includes(type)

/** Throws `unauthorized` when the caller may not read what the file would show, and every violation (422). */
export const beginExport = async (
  request: WriteRequest,
  { caller, reading, readScope }: CreateContext,
): Promise<PreparedCreate> => {
  const asked = {
    includes: request.attributes.get('includes'),
    fields: request.attributes.get('fields'),
    filters: request.attributes.get('filters'),
  }
  const definition = exportedType(request.attributes.get('resource_type'), reading)
  throwViolations(await tooManyJobs('exports', CONCURRENT_MAX, reading))
  requirePermission(caller, definition, 'list')
  const query = readQuestion(asked, definition, reading)
  const fields = fieldsByType(asked, definition, reading.registry)
  requireReadable({ ...query, fields }, definition, caller, reading.registry)
  const isNarrowed = request.attributes.get('jwt_filters') === true
  const { restrictions } = reading.scope
  const scope = isNarrowed
    ? { ...(await readScope(withEffectiveScope(caller))).scope, restrictions }
    : reading.scope
  const inScope = { ...reading, scope }
  return {
    request,
    columns: {
      records_count: await recordsOf(definition, query, inScope),
      final_record_id: await lastNumber(definition, inScope),
      file_key: randomKey(),
      requested_by: {
        scope,
        requester: requesterOf(caller),
        isConfidential: caller.application.isConfidential,
        readable: reading.registry.definitions
          .map(({ type }) => type)
          .filter((type) => may(caller, type, 'related')),
      },
    },
  }
}

const exportedType = (type: unknown, { registry }: Reading): ResourceDefinition => {
  const at = { attribute: 'resource_type' }
  const definition = typeof type === 'string' ? registry.find(type) : undefined
  if (definition !== undefined && isExportable(definition)) return definition
  const allowed = registry.definitions.filter(isExportable).map((exportable) => exportable.type)
  const isBlank = type === undefined || type === null || type === ''
  const message = isBlank ? "can't be blank" : `cannot be exported; allowed: ${allowed.join(', ')}`
  throwViolations([{ at, error: isBlank ? 'blank' : 'inclusion', message, value: type }])
  throw new TypeError('a violation was not refused')
}

const readQuestion = (
  asked: ExportQuestion,
  definition: ResourceDefinition,
  { registry }: Reading,
): ListQuery => {
  const violations: WriteViolation[] = []
  let query: ListQuery | undefined
  try {
    query = toListQuery(asked, definition, registry)
  } catch (error) {
    if (!(error instanceof AppErrors)) throw error
    violations.push(...error.errors.map(toViolation))
  }
  try {
    toFields(asked, definition, registry)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    violations.push({ at: { attribute: 'fields' }, error: 'invalid', message: error.message.slice(0, 500) })
  }
  throwViolations(violations)
  if (query === undefined) throw new TypeError('a query without violations is missing')
  return query
}

const toViolation = ({ detail, source }: AppError): WriteViolation => ({
  at: { attribute: source?.parameter === 'include' ? 'includes' : 'filters' },
  error: 'invalid',
  message: detail ?? 'is invalid',
})

/** The market, store and stock location of the token count, whatever its credentials are. */
const withEffectiveScope = (caller: Caller): Caller => ({
  ...caller,
  role: { id: caller.role?.id ?? '', kind: 'custom', permissions: [] },
})

const recordsOf = async (
  definition: ResourceDefinition,
  query: ListQuery,
  reading: Reading,
): Promise<number> => {
  const count = await countRecords(definition, query, reading)
  throwViolations(count === 0 ? [NO_RECORDS] : tooManyRecords(count))
  return count
}

const NO_RECORDS: WriteViolation = {
  at: { attribute: 'records_count' },
  error: 'greater_than',
  message: 'must be greater than 0',
  value: 0,
  count: 0,
}
