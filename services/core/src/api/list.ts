/** GET /api/<resources>: one page of a collection. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { renderCollection } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { requirePermission } from '../access/permissions.ts'
import { requireReadable } from '../access/require-readable.ts'
import { countListAnswer } from '../core-metrics.ts'
import { readPage } from '../engine/read/read-page.ts'
import { isOwnPage, pageKey } from '../routes/page-key.ts'
import { answerBytes, toBytes } from './answer.ts'
import { askRequest, toCoreRequest } from './request.ts'
import type { RouteDeps } from './request.ts'

export const handleList =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const asked = await askRequest(req, res, deps)
    requirePermission(asked.caller, definition, 'list')
    const key = pageKey(definition, asked, registry)
    const known = key === undefined ? undefined : asked.unchanged?.pages.find(key)
    countListAnswer(known !== undefined)
    if (known !== undefined) {
      answerBytes(res, 200, known)
      return
    }
    const request = toCoreRequest(asked, deps)
    const query = parseListQuery(request.query, definition, registry)
    requireReadable(query, definition, request.caller, registry)
    const page = await readPage(definition, query, request.reading)
    const path = `${request.render.baseUrl}/api/${definition.path}`
    const body = toBytes(res, renderCollection(page, request.render, query, path))
    if (key !== undefined && isOwnPage(query)) request.unchanged?.pages.keep(key, body)
    answerBytes(res, 200, body)
  }
