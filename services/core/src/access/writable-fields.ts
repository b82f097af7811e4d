/** Fields that a custom role's permission does not let its callers send (401, each named). */
import type { Caller } from '@merx/access-token/caller'
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import type { WriteOperation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { restrictionsAt, restrictionsOf } from './restrictions.ts'

/** Throws AppErrors of `unauthorized`, one for each field, saying which may be sent. */
export const requireWritable = (
  request: WriteRequest,
  definition: ResourceDefinition,
  operation: WriteOperation,
  caller: Caller,
  registry: Registry,
): void => {
  const restricted = restrictionsAt(definition, restrictionsOf(caller), registry)
  const violations = restricted.flatMap(({ fields }) => {
    const allowed = fields[operation]
    if (allowed === undefined) return []
    return [...sentNames(request)]
      .filter((name) => !allowed.has(name))
      .map((name) => unauthorized(name, definition, operation, allowed))
  })
  if (violations.length > 0) throw new AppErrors(violations)
}

const unauthorized = (
  name: string,
  { type, relationships }: ResourceDefinition,
  operation: WriteOperation,
  allowed: ReadonlySet<string>,
): AppError => {
  const list = allowed.size === 0 ? 'nothing' : [...allowed].join(', ')
  const at = Object.hasOwn(relationships, name) ? 'relationships' : 'attributes'
  return new AppError('unauthorized', {
    detail: `You are not authorized to send "${name}" when ${type} are ${operation}d; allowed: ${list}.`,
    source: { pointer: `/data/${at}/${name}` },
  })
}
