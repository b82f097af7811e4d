/** Raw query string + definition → typed query; every violation of the request is thrown at once. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ResourceDefinition } from './define-resource.ts'
import { limits } from './limits.ts'
import { parseFields } from './parse-fields.ts'
import { parseFilters } from './parse-filters.ts'
import { parseInclude } from './parse-include.ts'
import { parsePage } from './parse-page.ts'
import { parseSort } from './parse-sort.ts'
import { parseQueryString } from './query-string.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { ListQuery, RetrieveQuery } from './query.ts'
import type { Registry } from './registry.ts'

const LIST_FAMILIES = ['filter', 'include', 'fields', 'sort', 'page']
const LINKAGE_FAMILIES = ['filter', 'sort', 'page']
const SINGLE_FAMILIES = ['include', 'fields']

/**
 * The query of a collection of `definition`. Throws AppErrors.
 *
 * @example parseListQuery('page%5Bsize%5D=25&sort=-code', skus, registry).page.size === 25
 */
export const parseListQuery = (raw: string, definition: ResourceDefinition, registry: Registry): ListQuery =>
  parseFamilies(raw, definition, registry, LIST_FAMILIES)

const parseFamilies = (
  raw: string,
  definition: ResourceDefinition,
  registry: Registry,
  families: readonly string[],
): ListQuery =>
  collect((report) => {
    const parameters = parseQueryString(raw, report)
    const of = split(parameters, families, report)
    return {
      filters: parseFilters(of('filter'), definition, registry, report),
      sorts: parseSort(of('sort'), definition, report),
      include: parseInclude(of('include'), definition, registry, report),
      hasIncludes: of('include').length > 0,
      fields: parseFields(of('fields'), registry, report),
      page: parsePage(of('page'), report),
      parameters: ['filter', 'include', 'fields', 'sort'].flatMap((family) =>
        of(family).map(({ name, value }) => [name, value] as const),
      ),
    }
  })

/** The query of the linkage of a to-many relationship: a page of identifiers, which bring nothing along. Throws AppErrors. */
export const parseLinkageQuery = (raw: string, target: ResourceDefinition, registry: Registry): ListQuery =>
  parseFamilies(raw, target, registry, LINKAGE_FAMILIES)

/** The query of one resource: GET one, POST, PATCH, a related to-one. Throws AppErrors. */
export const parseRetrieveQuery = (
  raw: string,
  definition: ResourceDefinition,
  registry: Registry,
): RetrieveQuery =>
  collect((report) => {
    const of = split(parseQueryString(raw, report), SINGLE_FAMILIES, report)
    return {
      include: parseInclude(of('include'), definition, registry, report),
      hasIncludes: of('include').length > 0,
      fields: parseFields(of('fields'), registry, report),
    }
  })

/** For requests that take no parameters at all. Throws AppErrors. */
export const refuseParameters = (raw: string): void => {
  collect((report) => split(parseQueryString(raw, report), [], report))
}

/** Throws AppError `uri_too_long` when path and query together exceed the limit. */
export const checkUrlLength = (url: string): void => {
  if (url.length <= limits.urlCharactersMax) return
  throw new AppError('uri_too_long', {
    detail: `the URL has ${url.length} characters, at most ${limits.urlCharactersMax} are allowed`,
  })
}

const collect = <T>(parse: (report: Report) => T): T => {
  const violations: AppError[] = []
  const parsed = parse((violation) => violations.push(violation))
  if (violations.length > 0) throw new AppErrors(violations)
  return parsed
}

const split = (parameters: readonly QueryParameter[], allowed: readonly string[], report: Report) => {
  for (const { name, family } of parameters) {
    if (allowed.includes(family)) continue
    const list = allowed.length === 0 ? 'none are' : `${allowed.join(', ')} are`
    const detail = `"${name}" is not allowed here; ${list}`
    report(new AppError('param_not_allowed', { detail, source: { parameter: name } }))
  }
  return (family: string) => parameters.filter((parameter) => parameter.family === family)
}
