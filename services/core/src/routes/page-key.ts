/**
 * Requests that get the same bytes as long as nothing in the catalogue changes (store/catalogue-watch.ts): pages of SKUs
 * without includes, for callers whom no custom role restricts.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import type { Registry } from '@merx/jsonapi/registry'
import { restrictionsAt } from '../access/restrictions.ts'
import type { AskedRequest } from '../api/request.ts'

/**
 * A key that differs where the answer may: the query as it was sent, the address links start with, and everything that
 * decides what the caller sees and how it is written. Undefined for a list whose answer depends on more.
 */
export const pageKey = (
  definition: ResourceDefinition,
  request: AskedRequest,
  registry: Registry,
): string | undefined => {
  const { caller, scope, baseUrl, query, unchanged } = request
  if (unchanged === undefined || definition.type !== 'skus' || caller.role?.kind === 'custom')
    return undefined
  if (restrictionsAt(definition, scope.restrictions, registry).length > 0) return undefined
  const known = unchanged.callerKeys.get(caller)
  const callerKey = known ?? callerKeyOf(request)
  if (known === undefined) unchanged.callerKeys.set(caller, callerKey)
  // Neither an address nor a query has a line break in it.
  return `${callerKey}\n${baseUrl}\n${query}`
}

/** Callers who see the same, written the same, have the same; restrictions are dealt with above. */
const callerKeyOf = ({ caller, scope }: AskedRequest): string => {
  const { restrictions: _apart, ...seen } = scope
  const { organization, mode, application, customClaim, role } = caller
  return JSON.stringify([seen, organization.id, mode, application.isConfidential, customClaim, role?.kind])
}

/** Whether the answer is made of rows of the type itself and nothing else. */
export const isOwnPage = ({ filters, include }: Pick<ListQuery, 'filters' | 'include'>): boolean =>
  Object.keys(include).length === 0 &&
  filters.every(({ tests }) => tests.every(({ path }) => path.steps.length === 0))
