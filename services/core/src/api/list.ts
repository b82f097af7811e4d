/** GET /api/<resources>: one page of a collection. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { renderCollection } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { requirePermission } from '../access/permissions.ts'
import { requireReadable } from '../access/require-readable.ts'
import { readPage } from '../engine/read/read-page.ts'
import { withResponseCache } from '../engine/response-cache/with-response-cache.ts'
import type { ReadHandler } from '../engine/response-cache/with-response-cache.ts'
import { answerBytes } from './answer.ts'
import { openRequest } from './request.ts'
import type { CoreRequest, RouteDeps } from './request.ts'

export const handleList = (definition: ResourceDefinition, deps: RouteDeps): RequestHandler => {
  const { registry, responseCache: cache } = deps
  const read = withResponseCache(readList(definition, deps), definition, { registry, cache })
  return async (req, res) => {
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'list')
    answerBytes(res, 200, await read(request))
  }
}

const readList =
  (definition: ResourceDefinition, { registry }: RouteDeps): ReadHandler<CoreRequest> =>
  async (request) => {
    const query = parseListQuery(request.query, definition, registry)
    requireReadable(query, definition, request.caller, registry)
    const page = await readPage(definition, query, request.reading)
    const path = `${request.render.baseUrl}/api/${definition.path}`
    const document = renderCollection(page, request.render, query, path)
    return { query, body: request.toBytes(document) }
  }
