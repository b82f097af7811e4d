/** GET, POST, PATCH and DELETE of what is provisioned, as JSON:API. */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { parseListQuery, parseRetrieveQuery, refuseParameters } from '@merx/jsonapi/parse-query'
import { parseWrite } from '@merx/jsonapi/parse-write'
import type { RetrieveQuery } from '@merx/jsonapi/query'
import type { ResourceRecord } from '@merx/jsonapi/record'
import { renderCollection, renderSingle } from '@merx/jsonapi/render-document'
import { linkTo } from '@merx/jsonapi/render-resource'
import type { RequestHandler, Response } from 'express'
import type { Acts, Written } from '../../provisioning/acts/acts.ts'
import { acts } from '../../provisioning/acts/index.ts'
import { provisionedResources as registry } from '../../provisioning/resources/index.ts'
import type { OpenRecord } from '../../store/provisioned-records.ts'
import { checkWrite } from './check-write.ts'
import { idOf, openRequest, PATH, type ProvisioningRequest, type ProvisioningRequestDeps } from './request.ts'

/** As bytes: Express would add a charset to the media type, which JSON:API does not allow. */
export const answer = (res: Response, status: number, document: unknown): void => {
  const body = Buffer.from(JSON.stringify(document))
  res.status(status)
  res.setHeader('Content-Type', JSON_API_MEDIA_TYPE)
  res.setHeader('Content-Length', body.byteLength)
  res.end(body)
}

const answerOne = (
  res: Response,
  status: number,
  record: ResourceRecord,
  { fields, include }: RetrieveQuery,
  render: ProvisioningRequest['render'],
): void => {
  const hasIncludes = Object.keys(include).length > 0
  answer(res, status, renderSingle(record, render, { fields, hasIncludes }))
}

const notFound = ({ type }: ResourceDefinition, id: string): AppError =>
  new AppError('record_not_found', {
    detail: `The organization has no ${type} with the id "${id.slice(0, 50)}".`,
  })

const requireRecord = async (
  definition: ResourceDefinition,
  id: string,
  { reader }: Pick<ProvisioningRequest, 'reader'>,
  include: RetrieveQuery['include'] = {},
): Promise<OpenRecord> => {
  const record = await reader.find(definition, id, include)
  if (record === undefined) throw notFound(definition, id)
  return record
}

const actOf = <K extends keyof Acts>({ type }: ResourceDefinition, name: K): NonNullable<Acts[K]> => {
  const act = acts[type]?.[name]
  if (act === undefined) throw new Error(`${type} has no act ${name}`)
  return act
}

/** Whatever fields were asked for: nobody could ask for the secret later. */
const withSecret = (query: RetrieveQuery, { type }: ResourceDefinition): RetrieveQuery => {
  const asked = query.fields.get(type)
  if (asked === undefined) return query
  return { ...query, fields: new Map(query.fields).set(type, new Set([...asked, 'client_secret'])) }
}

/** A secret that was made is in this answer and nowhere else. */
const answerWritten = async (
  res: Response,
  status: number,
  { id, clientSecret }: Written,
  definition: ResourceDefinition,
  request: ProvisioningRequest,
  query: RetrieveQuery,
): Promise<void> => {
  const record = await requireRecord(definition, id, { reader: request.readAfresh() }, query.include)
  const hasSecret = clientSecret !== undefined
  const shown = hasSecret ? { ...record, row: { ...record.row, client_secret: clientSecret } } : record
  const render = { ...request.render, isConfidential: hasSecret }
  if (status === 201) res.setHeader('Location', linkTo(record, render))
  answerOne(res, status, shown, hasSecret ? withSecret(query, definition) : query, render)
}

type Handle = (definition: ResourceDefinition, deps: ProvisioningRequestDeps) => RequestHandler

export const handleList: Handle = (definition, deps) => async (req, res) => {
  const { reader, render, query: raw } = openRequest(req, res, deps)
  const query = parseListQuery(raw, definition, registry)
  const page = await reader.readPage(definition, query)
  const hasIncludes = Object.keys(query.include).length > 0
  const path = `${render.baseUrl}${PATH}/${definition.path}`
  answer(res, 200, renderCollection(page, render, { ...query, hasIncludes }, path))
}

export const handleRetrieve: Handle = (definition, deps) => async (req, res) => {
  const request = openRequest(req, res, deps)
  const query = parseRetrieveQuery(request.query, definition, registry)
  const record = await requireRecord(definition, idOf(req), request, query.include)
  answerOne(res, 200, record, query, request.render)
}

export const handleCreate: Handle = (definition, deps) => async (req, res) => {
  const request = openRequest(req, res, deps)
  const query = parseRetrieveQuery(request.query, definition, registry)
  const target = { definition, registry, operation: 'create', isSalesChannel: false } as const
  const values = await checkWrite(parseWrite(req.body, target), target, request.reader)
  const written = await actOf(definition, 'create')(values, request.context)
  await answerWritten(res, 201, written, definition, request, query)
}

export const handleUpdate: Handle = (definition, deps) => async (req, res) => {
  const request = openRequest(req, res, deps)
  const id = idOf(req)
  const query = parseRetrieveQuery(request.query, definition, registry)
  const { row: before } = await requireRecord(definition, id, request)
  const target = { definition, registry, operation: 'update', id, before, isSalesChannel: false } as const
  const values = await checkWrite(parseWrite(req.body, target), target, request.reader)
  const written = await actOf(definition, 'update')(id, values, request.context)
  await answerWritten(res, 200, written, definition, request, query)
}

export const handleDelete: Handle = (definition, deps) => async (req, res) => {
  const request = openRequest(req, res, deps)
  refuseParameters(request.query)
  await requireRecord(definition, idOf(req), request)
  await actOf(definition, 'remove')(idOf(req), request.context)
  res.status(204).end()
}
