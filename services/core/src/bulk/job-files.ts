/** Decides who gets the address of the file of an import or export: who asked for it, or may read all that it can hold. */
import type { Caller } from '@merx/access-token/caller'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { may } from '../access/permissions.ts'
import type { RequestScope } from '../access/request-scope.ts'
import { restrictionsAt, restrictionsOf } from '../access/restrictions.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { Registry } from '../engine/registry.ts'

/** Who asked for a job, stored with it. */
export interface Requester {
  readonly applicationId: string
  readonly ownerId: string | null
  readonly roleId: string | null
}

export const requesterOf = ({ application, owner, role }: Caller): Requester => ({
  applicationId: application.id,
  ownerId: owner?.id ?? null,
  roleId: role?.id ?? null,
})

const isRequester = (requestedBy: unknown, caller: Caller): boolean => {
  if (typeof requestedBy !== 'object' || requestedBy === null || !('requester' in requestedBy)) return false
  const requester = requestedBy.requester as Requester
  const own = requesterOf(caller)
  return (
    requester.applicationId === own.applicationId &&
    requester.ownerId === own.ownerId &&
    requester.roleId === own.roleId
  )
}

/** The types at the end of each step of these paths. */
const typesAlong = (
  paths: readonly (readonly string[])[],
  definition: ResourceDefinition,
  registry: Registry,
): readonly string[] =>
  paths.flatMap(([name = '', ...rest]) => {
    const relationship = definition.relationships[name]
    if (relationship === undefined) return []
    const types = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
    return types.flatMap((type) => [
      type,
      ...(rest.length === 0 ? [] : typesAlong([rest], registry.require(type), registry)),
    ])
  })

const readsAll = (type: string, caller: Caller, registry: Registry): boolean => {
  const definition = registry.find(type)
  return (
    definition !== undefined &&
    may(caller, type, 'list') &&
    restrictionsAt(definition, restrictionsOf(caller), registry).length === 0
  )
}

const isNarrowed = ({ markets, storeId, inventory }: RequestScope): boolean =>
  markets !== undefined || storeId !== undefined || inventory !== undefined

/** The key in the address of a job's file. */
export const fileKeyOf = (job: Row): string => rowOf('Export', job).file_key

export const mayReadFile = (
  job: Row,
  {
    caller,
    scope,
    registry,
  }: { readonly caller: Caller; readonly scope: RequestScope; readonly registry: Registry },
): boolean => {
  if (isRequester(job['requested_by'], caller)) return true
  const definition = registry.find(columnsOf('Export', job).resource_type ?? '')
  if (definition === undefined || isNarrowed(scope) || !caller.application.isConfidential) return false
  const includes = Array.isArray(job['includes']) ? job['includes'].map(String) : []
  const paths = includes.map((path) => path.split('.'))
  return [definition.type, ...typesAlong(paths, definition, registry)].every((type) =>
    readsAll(type, caller, registry),
  )
}
