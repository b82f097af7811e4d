/** GET /api/<resources>: one page of a collection. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { renderCollection } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { requirePermission } from '../policies/permissions.ts'
import { requireReadable } from '../policies/require-readable.ts'
import { readPage } from '../store/read-page.ts'
import { answer } from './answer.ts'
import { openRequest } from './request.ts'
import type { RouteDeps } from './request.ts'

export const handleList =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'list')
    const query = parseListQuery(request.query, definition, registry)
    requireReadable(query, definition, request.caller, registry)
    const page = await readPage(definition, query, request.reading)
    const hasIncludes = Object.keys(query.include).length > 0
    const path = `${request.render.baseUrl}/api/${definition.path}`
    answer(res, 200, renderCollection(page, request.render, { ...query, hasIncludes }, path))
  }
