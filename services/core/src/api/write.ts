/** POST, PATCH and DELETE of a resource. The answer is the resource as it is after the write. */
import { AppErrors } from '@merx/errors/app-error'
import type { AppError } from '@merx/errors/app-error'
import { gather } from '@merx/errors/check-all'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseRetrieveQuery, refuseParameters } from '@merx/jsonapi/parse-query'
import { readWrite } from '@merx/jsonapi/parse-write'
import type { RetrieveQuery } from '@merx/jsonapi/query'
import { renderSingle } from '@merx/jsonapi/render-document'
import { linkTo } from '@merx/jsonapi/render-resource'
import type { WriteRequest, WriteTarget } from '@merx/jsonapi/write-request'
import type { RequestHandler, Response } from 'express'
import { isSalesChannel } from '../access/caller-kinds.ts'
import { requirePermission } from '../access/permissions.ts'
import { requireReadable } from '../access/require-readable.ts'
import { requireWritable } from '../access/writable-fields.ts'
import type { PreparedCreate } from '../engine/area.ts'
import { completeRecord } from '../engine/read/read-one.ts'
import type { OpenRecord } from '../engine/read/records.ts'
import type { EarlierFaults } from '../engine/write/all-faults.ts'
import { createResource, deleteResource, updateResource } from '../engine/write/write-resource.ts'
import type { WholeWriting } from '../engine/write/write-resource.ts'
import { answer } from './answer.ts'
import { requireVisible } from './find-visible.ts'
import { idOf, openRequest, readAfresh } from './request.ts'
import type { CoreRequest, RouteDeps } from './request.ts'
import { whoOf } from './who-of.ts'

export const handleCreate =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'create')
    const sent = await readSent(req.body, request, { definition, registry, operation: 'create' })
    const { write, earlier } = await prepareCreate(definition, sent, request, deps)
    const writing = { ...writingOf(request, deps), earlier, ...enqueuing(definition, deps) }
    const row = await createResource(definition, write.request, writing, write.columns)
    if (definition.type in deps.jobOfType) deps.jobs.wake()
    await answerWritten(res, 201, definition, row, readAfresh(request), sent.query)
  }

interface Sent {
  readonly query: RetrieveQuery
  readonly request: WriteRequest
  /** What is wrong with query and document; the values of the rest are judged all the same (docs/adr/0002). */
  readonly earlier: EarlierFaults | undefined
}

/** Of a query that says nothing. */
const NO_QUERY: RetrieveQuery = { include: {}, hasIncludes: false, fields: new Map() }

/**
 * Query and document, each with its faults; then what of both the caller may not do. Who may not do it hears nothing
 * of values.
 */
const readSent = async (
  body: unknown,
  { caller, query: raw }: CoreRequest,
  target: Omit<WriteTarget, 'isSalesChannel'>,
): Promise<Sent> => {
  const { definition, registry, operation } = target
  const errors: AppError[] = []
  const query = (await gather(errors, () => parseRetrieveQuery(raw, definition, registry))) ?? NO_QUERY
  const document = readWrite(body, { ...target, isSalesChannel: isSalesChannel(caller) })
  const { request, faults, unreadable, isJudgeable } = document
  errors.push(...faults)
  const count = errors.length
  await gather(errors, () => requireReadable(query, definition, caller, registry))
  await gather(errors, () => requireWritable(request, definition, operation, caller, registry))
  if (errors.length > count || (count > 0 && !isJudgeable)) throw new AppErrors(errors)
  return { query, request, earlier: count === 0 ? undefined : { errors, unreadable } }
}

/** Enqueues the job of a row in the transaction that makes the row pending. */
const enqueuing = (
  { type }: ResourceDefinition,
  { jobs, jobOfType }: RouteDeps,
): Pick<WholeWriting, 'afterwards'> => {
  const job = jobOfType[type]
  if (job === undefined) return {}
  return {
    afterwards: async (row, environmentId, run) => {
      if (row['status'] === 'pending') await jobs.enqueue(job, { environmentId, id: Number(row['id']) }, run)
    },
  }
}

/** What an area checks and adds before a record is created; its errors are reported with those of the document. */
const prepareCreate = async (
  { type }: ResourceDefinition,
  { request: write, earlier }: Sent,
  { caller, reading }: CoreRequest,
  { registry, readScope }: RouteDeps,
): Promise<{ readonly write: PreparedCreate; readonly earlier: EarlierFaults | undefined }> => {
  const before = registry.facts.beforeCreate[type]
  if (before === undefined) return { write: { request: write, columns: {} }, earlier }
  const errors = [...(earlier?.errors ?? [])]
  const context = { caller, reading, readScope, actor: whoOf(caller) }
  const prepared = await gather(errors, () => before.run(write, context))
  if (prepared !== undefined) return { write: prepared, earlier }
  if (errors.some(({ code }) => code === 'unauthorized')) throw new AppErrors(errors)
  const attributes = new Map([...write.attributes].filter(([name]) => !before.ownAttributes.includes(name)))
  const unreadable = earlier?.unreadable ?? new Set()
  return { write: { request: { ...write, attributes }, columns: {} }, earlier: { errors, unreadable } }
}

export const handleUpdate =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const id = idOf(req)
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'update')
    const target = { definition, registry, operation: 'update', id } as const
    const { query, request: sent, earlier } = await readSent(req.body, request, target)
    const { row: seen } = await requireSeen(definition, id, request, earlier)
    const row = await updateResource(definition, seen, sent, {
      ...writingOf(request, deps),
      earlier,
      ...enqueuing(definition, deps),
    })
    if (definition.type in deps.jobOfType) deps.jobs.wake()
    await answerWritten(res, 200, definition, row, readAfresh(request), query)
  }

/** That there is no such resource is told with what else is wrong. */
const requireSeen = async (
  definition: ResourceDefinition,
  id: string,
  request: CoreRequest,
  earlier: EarlierFaults | undefined,
): Promise<OpenRecord> => {
  const errors = [...(earlier?.errors ?? [])]
  const record = await gather(errors, () => requireVisible(definition, id, request, true))
  if (record === undefined) throw new AppErrors(errors)
  return record
}

export const handleDelete =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'delete')
    refuseParameters(request.query)
    const { number } = await requireVisible(definition, idOf(req), request)
    await deleteResource(definition, number, writingOf(request, deps))
    res.status(204).end()
  }

const writingOf = (
  { caller, reading }: CoreRequest,
  { database, numbers, clock }: RouteDeps,
): WholeWriting => ({
  database,
  numbers,
  reading,
  now: clock.now(),
  who: whoOf(caller),
})

/** A writer sees what it wrote, also where its scope would not show it (a new SKU has no price yet). */
const answerWritten = async (
  res: Response,
  status: number,
  definition: ResourceDefinition,
  row: Row,
  { reading, render }: CoreRequest,
  query: RetrieveQuery,
): Promise<void> => {
  const record = reading.records.of(definition, row)
  await completeRecord(record, query, reading)
  if (status === 201) res.setHeader('Location', linkTo(record, render))
  answer(res, status, renderSingle(record, render, query))
}
