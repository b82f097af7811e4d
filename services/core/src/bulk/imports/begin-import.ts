/** POST /api/imports: checks the request and stores its items; a worker writes them. */
import { AppError } from '@merx/errors/app-error'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { may } from '../../access/permissions.ts'
import type { CreateContext, PreparedCreate } from '../../engine/area.ts'
import type { Reading } from '../../engine/read/read-includes.ts'
import { findUnscoped } from '../../engine/read/read-one.ts'
import { requesterOf } from '../job-files.ts'
import { randomKey, tooManyJobs } from '../job-rows.ts'
import { CONCURRENT_MAX, findImportable, IMPORTABLE } from './importable.ts'
import type { Importable } from './importable.ts'
import { readInputs } from './read-inputs.ts'
import { sealSecrets, secretNamesOf } from './sealed-values.ts'

/** Throws `unauthorized` when the caller may not write the type one by one, and every violation of the request (422). */
export const beginImport = async (
  request: WriteRequest,
  { caller, reading, actor, secretBox }: CreateContext,
): Promise<PreparedCreate> => {
  const attributes = new Map(request.attributes)
  const inputs = readInputs(attributes.get('inputs'), attributes.get('format'))
  attributes.delete('inputs')
  const importable = findImportable(attributes.get('resource_type'))
  const violations: WriteViolation[] = [
    ...(importable === undefined ? [notImportable(attributes.get('resource_type'))] : []),
    ...('violation' in inputs ? [inputs.violation] : []),
    ...(await parentViolations(attributes.get('parent_resource_id'), importable, reading)),
    ...(await tooManyJobs('imports', CONCURRENT_MAX, reading)),
  ]
  throwViolations(violations)
  if (importable === undefined || 'violation' in inputs)
    throw new TypeError('an import without items was accepted')
  if (!may(caller, importable.type, 'create') || !may(caller, importable.type, 'update')) {
    throw new AppError('unauthorized', { detail: `You are not authorized to write ${importable.type}.` })
  }
  if (reading.scope.restrictions !== undefined) {
    const detail = 'A role whose permissions have restrictions cannot import; write resources one by one.'
    throw new AppError('unauthorized', { detail })
  }
  const definition = reading.registry.require(importable.type)
  const secrets = secretNamesOf(definition, importable, reading.registry)
  return {
    request: { ...request, attributes },
    columns: {
      inputs: sealSecrets(inputs.items, secrets, secretBox),
      inputs_size: inputs.items.length,
      file_key: randomKey(),
      requested_by: { scope: reading.scope, who: actor, requester: requesterOf(caller) },
    },
  }
}

const notImportable = (type: unknown): WriteViolation => {
  const at = { attribute: 'resource_type' }
  if (type === undefined || type === null || type === '')
    return { at, error: 'blank', message: "can't be blank" }
  const allowed = IMPORTABLE.map((importable) => importable.type)
  return {
    at,
    error: 'inclusion',
    message: `cannot be imported; allowed: ${allowed.join(', ')}`,
    value: type,
  }
}

const parentViolations = async (
  id: unknown,
  importable: Importable | undefined,
  reading: Reading,
): Promise<readonly WriteViolation[]> => {
  if (importable === undefined || typeof id !== 'string' || id === '') return []
  const at = { attribute: 'parent_resource_id' }
  const { registry } = reading
  const relationship = registry.require(importable.type).relationships[importable.parent ?? '']
  if (relationship?.kind !== 'toOne') {
    return [{ at, error: 'invalid', message: `is not taken: ${importable.type} have no parent`, value: id }]
  }
  const parent = registry.require(relationship.target)
  const number = registry.ids.decode(idTypeOf(parent), id)
  const found = number === undefined ? undefined : await findUnscoped(parent, number, reading)
  return found === undefined ? [{ at, error: 'noent', message: "doesn't exist", value: id }] : []
}
