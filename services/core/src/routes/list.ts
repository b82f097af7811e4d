/** GET /api/<resources>: one page of a collection. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { renderCollection } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { countListAnswer } from '../telemetry.ts'
import { requirePermission } from '../policies/permissions.ts'
import { requireReadable } from '../policies/require-readable.ts'
import { readPage } from '../store/read-page.ts'
import { answerBytes, toBytes } from './answer.ts'
import { isOwnPage, pageKey } from './page-key.ts'
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
