/** GET of a singleton, such as /api/organization: its address has no id, because the token says which record it is. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseRetrieveQuery } from '@merx/jsonapi/parse-query'
import { renderSingle } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { requireOwnReadable } from '../access/permissions.ts'
import { readableOf } from '../access/readable-fields.ts'
import { requireReadable } from '../access/require-readable.ts'
import type { SingletonSource } from '../engine/read/singleton-source.ts'
import { answer } from './answer.ts'
import { openRequest } from './request.ts'
import type { RouteDeps } from './request.ts'

export interface SingletonDeps extends RouteDeps {
  /** Type → where its row comes from. */
  readonly singletons: Readonly<Record<string, SingletonSource>>
}

/** Throws at load when a singleton has no source. */
export const handleSingleton = (definition: ResourceDefinition, deps: SingletonDeps): RequestHandler => {
  const source = deps.singletons[definition.type]
  if (source === undefined) throw new Error(`the singleton ${definition.type} has no source`)
  return async (req, res) => {
    const request = await openRequest(req, res, deps)
    const { restrictions } = request.reading.scope
    requireOwnReadable(definition, restrictions, deps.registry)
    const query = parseRetrieveQuery(request.query, definition, deps.registry)
    requireReadable(query, definition, request.caller, deps.registry)
    const { id, row } = await source(request)
    const readable = readableOf(definition, restrictions, deps.registry)
    const record = { definition: readable, id, row, linked: new Map() }
    answer(res, 200, renderSingle(record, request.render, { fields: query.fields, hasIncludes: false }))
  }
}
