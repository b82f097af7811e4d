/** Which requests receive the same bytes while their data version is current, and which responses may be cached. */
import type { Caller } from '@merx/access-token/caller'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import type { RequestScope } from '../../access/request-scope.ts'
import { restrictionsAt } from '../../access/restrictions.ts'
import type { Registry } from '../registry.ts'
import type { DataVersion } from './data-version.ts'

export interface KeyedRequest {
  readonly caller: Caller
  readonly scope: RequestScope
  /** Where links in the response start. */
  readonly baseUrl: string
  /** The raw query, without the question mark. */
  readonly query: string
  /** Only there for callers whose scope was read from the database. */
  readonly dataVersion?: DataVersion | undefined
}

/**
 * A key that differs where the response may: data version, caller, address of links, query. Undefined for a response that
 * depends on more: other types, custom roles, restrictions.
 */
export const responseKey = (
  definition: ResourceDefinition,
  request: KeyedRequest,
  registry: Registry,
): string | undefined => {
  const { caller, scope, baseUrl, query, dataVersion } = request
  if (dataVersion === undefined || !registry.facts.cachedLists.has(definition.type)) return undefined
  if (caller.role?.kind === 'custom') return undefined
  if (restrictionsAt(definition, scope.restrictions, registry).length > 0) return undefined
  // Neither an address nor a query has a line break in it.
  return `${dataVersion.number}\n${callerKey(request)}\n${baseUrl}\n${query}`
}

/** A scope belongs to one caller and is the same object while the data version is. */
const callerKeys = new WeakMap<RequestScope, string>()

/** Equal for callers who see the same, written the same way; restrictions are excluded above. */
const callerKey = ({ caller, scope }: KeyedRequest): string => {
  const known = callerKeys.get(scope)
  if (known !== undefined) return known
  const { restrictions: _excluded, ...visible } = scope
  const { organization, mode, application, customClaim, role } = caller
  const key = JSON.stringify([
    visible,
    organization.id,
    mode,
    application.isConfidential,
    customClaim,
    role?.kind,
  ])
  callerKeys.set(scope, key)
  return key
}

/** Whether a response is made of rows of the listed type alone, so that the data version covers it. */
export const isOwnPage = ({ filters, include }: Pick<ListQuery, 'filters' | 'include'>): boolean =>
  Object.keys(include).length === 0 &&
  filters.every(({ tests }) => tests.every(({ path }) => path.steps.length === 0))
