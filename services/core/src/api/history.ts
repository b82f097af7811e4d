/**
 * GET /api/<resources>/<id>/event_stores: the history of one record, newest first. It grows without end, so it is
 * paged by cursor and not counted (core-conventions.md 3); for integrations only.
 */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { limits } from '@merx/jsonapi/limits'
import type { PublicIds } from '@merx/jsonapi/public-id'
import { parseQueryString } from '@merx/jsonapi/query-string'
import type { QueryParameter } from '@merx/jsonapi/query-string'
import { identifierOf, renderResource } from '@merx/jsonapi/render-resource'
import type { RequestHandler } from 'express'
import { requirePermission } from '../access/permissions.ts'
import { requireReadableField } from '../access/require-readable.ts'
import { readHistory } from '../engine/read/read-history.ts'
import type { OpenRecord } from '../engine/read/records.ts'
import { answer } from './answer.ts'
import { requireVisible } from './find-visible.ts'
import { idOf, openRequest } from './request.ts'
import type { CoreRequest, RouteDeps } from './request.ts'

/** The record whose log is asked for, and the address of the collection it belongs to. */
interface Owner {
  readonly record: Pick<OpenRecord, 'definition' | 'number'>
  readonly path: string
}

type FindOwner = (definition: ResourceDefinition, request: CoreRequest, id: string) => Promise<Owner>

const byId: FindOwner = async (definition, request, id) => {
  const record = await requireVisible(definition, id, request)
  return { record, path: `${definition.path}/${record.id}` }
}

/** Of a singleton an id is allowed, but has to be the right one; the log is that of its environment. */
const ofToken: FindOwner = async (definition, { caller, reading }, id) => {
  if (id !== '' && id !== caller.organization.id) throw new AppError('record_not_found')
  const number = reading.scope.environmentId
  return { record: { definition, number }, path: definition.path }
}

/** `links.next` leads to the writes before the last one shown; without it there are none. */
export const handleHistory =
  (
    definition: ResourceDefinition,
    history: ResourceDefinition,
    deps: RouteDeps,
    isLinkage = false,
  ): RequestHandler =>
  async (req, res) => {
    const request = await openRequest(req, res, deps)
    const { caller, reading, render } = request
    const { registry } = deps
    requirePermission(caller, definition, 'retrieve')
    requirePermission(caller, history, 'related')
    requireReadableField(history.type, definition, caller, registry)
    if (caller.application.kind !== 'integration') throw new AppError('unauthorized')
    const page = parseCursorPage(request.query, history, registry.ids)
    const findOwner = definition.isSingleton ? ofToken : byId
    const { record, path } = await findOwner(definition, request, idOf(req))
    const { records, hasMore } = await readHistory(history, record, page, reading)
    const address = `${render.baseUrl}/api/${path}/${isLinkage ? 'relationships/' : ''}${history.type}`
    const last = records.at(-1)
    answer(res, 200, {
      data: records.map((each) =>
        isLinkage ? identifierOf(each) : renderResource(each, render, undefined, false),
      ),
      links: hasMore && last !== undefined ? { next: linkAfter(address, page.size, last.id) } : {},
    })
  }

const linkAfter = (path: string, size: number, id: string): string =>
  `${path}?page%5Bsize%5D=${size}&page%5Bafter%5D=${encodeURIComponent(id)}`

export interface CursorPage {
  readonly size: number
  /** Number of the last write that was seen. */
  readonly after: number | undefined
}

/** Throws AppErrors: only `page[size]` and `page[after]` are allowed. */
export const parseCursorPage = (
  query: string,
  { type }: Pick<ResourceDefinition, 'type'>,
  ids: PublicIds,
): CursorPage => {
  const violations: AppError[] = []
  const parameters = parseQueryString(query, (violation) => violations.push(violation))
  let size: number = limits.pageSizeDefault
  let after: number | undefined
  for (const parameter of parameters) {
    if (parameter.name === 'page[size]') size = Number(parameter.value)
    else if (parameter.name === 'page[after]') after = ids.decode(type, parameter.value)
    const violation = violationOf(parameter, { size, after }, type)
    if (violation !== undefined) violations.push(violation)
  }
  if (violations.length > 0) throw new AppErrors(violations)
  return { size, after }
}

const violationOf = (
  { name, value }: QueryParameter,
  { size, after }: CursorPage,
  type: string,
): AppError | undefined => {
  const source = { parameter: name.slice(0, 100) }
  const shown = `"${source.parameter}"`
  if (name === 'page[size]') {
    if (/^\d{1,10}$/.test(value) && size >= 1 && size <= limits.pageSizeMax) return undefined
    const detail = `${shown} must be an integer from 1 to ${limits.pageSizeMax}`
    return new AppError('invalid_page_value', { detail, source })
  }
  if (name === 'page[after]') {
    if (after !== undefined) return undefined
    return new AppError('invalid_page_value', { detail: `${shown} must be a cursor of links.next`, source })
  }
  const detail = `${shown} is not allowed; ${type.replaceAll('_', ' ')} take page[size] and page[after]`
  return new AppError('param_not_allowed', { detail, source })
}
