/**
 * PATCH, POST and DELETE of …/relationships/<name> (JSON:API 1.1, updating relationships): an update of the resource that names
 * this relationship alone. PATCH sets it; POST adds to a set and DELETE removes from it.
 */
import { AppError, AppErrors } from '@merx/errors/app-error'
import { toAppErrors } from '@merx/errors/to-app-errors'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { refuseParameters } from '@merx/jsonapi/parse-query'
import { escape } from '@merx/jsonapi/writable-members'
import type { SetChange } from '@merx/jsonapi/write-request'
import type { RequestHandler } from 'express'
import { idOf, openRequest } from './request.ts'
import type { RouteDeps } from './request.ts'
import { updateOnce } from './write.ts'

/** Answers 204: the relationship is what was asked for. */
export const handleLinkageWrite =
  (definition: ResourceDefinition, name: string, setChange: SetChange, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const request = await openRequest(req, res, deps)
    refuseParameters(request.query)
    const relationships = { [name]: req.body as unknown }
    const body = { data: { type: definition.type, id: idOf(req), relationships } }
    try {
      await updateOnce(definition, { req, request, body, setChange }, deps)
    } catch (error) {
      throw atLinkage(error, name)
    }
    res.status(204).end()
  }

/** The same error with a pointer into the body that was sent. */
const atLinkage = (error: unknown, name: string): unknown => {
  if (!(error instanceof AppError || error instanceof AppErrors)) return error
  const prefix = `/data/relationships/${escape(name)}`
  return new AppErrors(
    toAppErrors(error, 'internal_server_error').map((each) => {
      const { code, title, detail, source, meta, headers, level } = each
      const { pointer } = source ?? {}
      if (pointer?.startsWith(prefix) !== true) return each
      const inBody = pointer.slice(prefix.length) || '/data'
      return new AppError(code, { title, detail, source: { pointer: inBody }, meta, headers, level })
    }),
  )
}
