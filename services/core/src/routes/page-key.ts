/**
 * Requests that get the same bytes as long as nothing in the catalogue changes (store/catalogue-watch.ts): pages of SKUs
 * without includes, for callers whom no custom role restricts.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import { restrictionsAt } from '../policies/restrictions.ts'
import type { CoreRequest } from './request.ts'

/**
 * A key that differs where the answer may: the query as it was sent, and everything that decides what the caller sees
 * and how it is written. Undefined for a list whose answer depends on more.
 */
export const pageKey = (definition: ResourceDefinition, request: CoreRequest): string | undefined => {
  const { caller, reading, render, query, unchanged } = request
  if (unchanged === undefined || definition.type !== 'skus' || caller.role?.kind === 'custom')
    return undefined
  const { restrictions, ...scope } = reading.scope
  if (restrictionsAt(definition, restrictions, reading.registry).length > 0) return undefined
  return JSON.stringify([scope, render, caller.role?.kind, query])
}

/** Whether the answer is made of rows of the type itself and nothing else. */
export const isOwnPage = ({ filters, include }: Pick<ListQuery, 'filters' | 'include'>): boolean =>
  Object.keys(include).length === 0 &&
  filters.every(({ tests }) => tests.every(({ path }) => path.steps.length === 0))
