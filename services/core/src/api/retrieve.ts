/** GET /api/<resources>/<id>: one resource. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseRetrieveQuery } from '@merx/jsonapi/parse-query'
import { renderSingle } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { requirePermission } from '../access/permissions.ts'
import { requireReadable } from '../access/require-readable.ts'
import { completeRecord } from '../engine/read/read-one.ts'
import { answerTagged } from './entity-tags.ts'
import { requireVisible } from './find-visible.ts'
import { idOf, openRequest } from './request.ts'
import type { RouteDeps } from './request.ts'

export const handleRetrieve =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'retrieve')
    const query = parseRetrieveQuery(request.query, definition, registry)
    requireReadable(query, definition, request.caller, registry)
    const record = await requireVisible(definition, idOf(req), request, true)
    await completeRecord(record, query, request.reading)
    answerTagged(req, res, record.row, request.toBytes(renderSingle(record, request.render, query)))
  }
