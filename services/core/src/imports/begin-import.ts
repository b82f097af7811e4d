/** POST /api/imports: checks the request and stores its items; a worker writes them. */
import type { Caller } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { WriteFault } from '@merx/jsonapi/rules'
import { refuseFaults } from '@merx/jsonapi/validation-errors'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { randomKey, tooManyJobs } from '../jobs/job-rows.ts'
import type { BegunJob } from '../jobs/job-rows.ts'
import { requesterOf } from '../policies/job-files.ts'
import { may } from '../policies/permissions.ts'
import type { Reading } from '../store/read-includes.ts'
import { findUnscoped } from '../store/read-one.ts'
import { CONCURRENT_MAX, findImportable, IMPORTABLE } from './importable.ts'
import type { Importable } from './importable.ts'
import { readInputs } from './read-inputs.ts'
import { secretNamesOf } from './sealed-values.ts'
import type { SealedValues } from './sealed-values.ts'

/** Throws `unauthorized` when the caller may not write the type one by one, and every fault of the request (422). */
export const beginImport = async (
  request: WriteRequest,
  caller: Caller,
  reading: Reading,
  { who, sealedValues }: { readonly who: Row; readonly sealedValues: Pick<SealedValues, 'seal'> },
): Promise<BegunJob> => {
  const attributes = new Map(request.attributes)
  const inputs = readInputs(attributes.get('inputs'), attributes.get('format'))
  attributes.delete('inputs')
  const importable = findImportable(attributes.get('resource_type'))
  const isDefined = importable !== undefined && reading.registry.find(importable.type) !== undefined
  const faults: WriteFault[] = [
    ...(isDefined ? [] : [notImportable(attributes.get('resource_type'), reading)]),
    ...('fault' in inputs ? [inputs.fault] : []),
    ...(await parentFaults(attributes.get('parent_resource_id'), importable, reading)),
    ...(await tooManyJobs('imports', CONCURRENT_MAX, reading)),
  ]
  refuseFaults(faults)
  if (importable === undefined || 'fault' in inputs)
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
      inputs: sealedValues.seal(inputs.items, secrets),
      inputs_size: inputs.items.length,
      file_key: randomKey(),
      requested_by: { scope: reading.scope, who, requester: requesterOf(caller) },
    },
  }
}

const notImportable = (type: unknown, { registry }: Reading): WriteFault => {
  const at = { attribute: 'resource_type' }
  if (type === undefined || type === null || type === '')
    return { at, error: 'blank', message: "can't be blank" }
  const allowed = IMPORTABLE.map((importable) => importable.type).filter(
    (name) => registry.find(name) !== undefined,
  )
  return {
    at,
    error: 'inclusion',
    message: `cannot be imported; allowed: ${allowed.join(', ')}`,
    value: type,
  }
}

const parentFaults = async (
  id: unknown,
  importable: Importable | undefined,
  reading: Reading,
): Promise<readonly WriteFault[]> => {
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
