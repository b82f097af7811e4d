/** GET /api/organization and /api/application: what the token itself says who it is for; no id in the address. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseRetrieveQuery } from '@merx/jsonapi/parse-query'
import { renderSingle } from '@merx/jsonapi/render-document'
import type { RequestHandler } from 'express'
import { requireOwnReadable } from '../access/permissions.ts'
import { readableOf } from '../access/readable-fields.ts'
import { requireReadable } from '../access/require-readable.ts'
import type { FindApplication } from '../markets/find-application.ts'
import { answer } from './answer.ts'
import { openRequest } from './request.ts'
import type { CoreRequest, RouteDeps } from './request.ts'

/** Gives the row of a singleton and its public id; auth gave both ids. */
type Source = (
  request: CoreRequest,
  deps: SingletonDeps,
) => Promise<{ readonly id: string; readonly row: Row }>

export interface SingletonDeps extends RouteDeps {
  readonly findApplication: FindApplication
}

const organization: Source = async ({ caller, reading }) => {
  const { environmentId } = reading.scope
  const text = 'SELECT * FROM environments WHERE id = $1'
  const [row] = await reading.run({ text, values: [environmentId], name: 'organization' })
  if (row === undefined) throw new AppError('record_not_found')
  return { id: caller.organization.id, row }
}

const application: Source = async ({ caller }, { findApplication }) => {
  const { id } = caller.application
  return { id, row: await findApplication(id) }
}

const sources: Readonly<Record<string, Source>> = { organizations: organization, applications: application }

/** Throws at load when a singleton has no source. */
export const handleSingleton = (definition: ResourceDefinition, deps: SingletonDeps): RequestHandler => {
  const source = sources[definition.type]
  if (source === undefined) throw new Error(`the singleton ${definition.type} has no source`)
  return async (req, res) => {
    const request = await openRequest(req, res, deps)
    const { restrictions } = request.reading.scope
    requireOwnReadable(definition, restrictions, deps.registry)
    const query = parseRetrieveQuery(request.query, definition, deps.registry)
    requireReadable(query, definition, request.caller, deps.registry)
    const { id, row } = await source(request, deps)
    const readable = readableOf(definition, restrictions, deps.registry)
    const record = { definition: readable, id, row, linked: new Map() }
    answer(res, 200, renderSingle(record, request.render, { fields: query.fields, hasIncludes: false }))
  }
}
