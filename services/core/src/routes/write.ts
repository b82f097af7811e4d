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
import { beginExport } from '../exports/begin-export.ts'
import { beginImport } from '../imports/begin-import.ts'
import type { BegunJob } from '../jobs/job-rows.ts'
import { requirePermission } from '../policies/permissions.ts'
import { requireRecentSignIn } from '../policies/recent-sign-in.ts'
import { requireReadable } from '../policies/require-readable.ts'
import { isSalesChannel } from '../policies/scope-references.ts'
import { requireWritable } from '../policies/writable-fields.ts'
import type { EarlierFaults } from '../store/all-faults.ts'
import { completeRecord } from '../store/read-one.ts'
import type { OpenRecord } from '../store/records.ts'
import { createResource, deleteResource, updateResource } from '../store/write-resource.ts'
import type { WholeWriting } from '../store/write-resource.ts'
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
    const target = { definition, registry, operation: 'create' } as const
    const sent = await readSent(req.body, request, target, deps.clock.now())
    const { write, earlier } = await beginJob(definition, sent, request, deps)
    const writing = { ...writingOf(request, deps), earlier }
    const row = await createResource(definition, write.request, writing, write.columns)
    if (definition.type in JOBS) deps.jobs.wake()
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
  now: Date,
): Promise<Sent> => {
  const { definition, registry, operation } = target
  const errors: AppError[] = []
  const query = (await gather(errors, () => parseRetrieveQuery(raw, definition, registry))) ?? NO_QUERY
  const document = readWrite(body, { ...target, isSalesChannel: isSalesChannel(caller) })
  const { request, faults, unreadable, isJudgeable } = document
  errors.push(...faults)
  const count = errors.length
  if (operation === 'update')
    await gather(errors, () => requireRecentSignIn(request, definition, caller, now))
  await gather(errors, () => requireReadable(query, definition, caller, registry))
  await gather(errors, () => requireWritable(request, definition, operation, caller, registry))
  if (errors.length > count || (count > 0 && !isJudgeable)) throw new AppErrors(errors)
  return { query, request, earlier: count === 0 ? undefined : { errors, unreadable } }
}

/** Types whose rows are work for the workers: what is asked for is checked before the row is stored. */
const JOBS: Readonly<
  Record<string, (write: WriteRequest, request: CoreRequest, deps: RouteDeps) => Promise<BegunJob>>
> = {
  imports: (write, { caller, reading }) => beginImport(write, caller, reading, whoOf(caller)),
  exports: (write, { caller, reading }, { readScope }) => beginExport(write, caller, reading, readScope),
}

/** What a job is refused for is told with what is wrong with its row. */
const beginJob = async (
  { type }: ResourceDefinition,
  { request: write, earlier }: Sent,
  request: CoreRequest,
  deps: RouteDeps,
): Promise<{ readonly write: BegunJob; readonly earlier: EarlierFaults | undefined }> => {
  const begin = JOBS[type]
  if (begin === undefined) return { write: { request: write, columns: {} }, earlier }
  const errors = [...(earlier?.errors ?? [])]
  const begun = await gather(errors, () => begin(write, request, deps))
  if (begun !== undefined) return { write: begun, earlier }
  if (errors.some(({ code }) => code === 'unauthorized')) throw new AppErrors(errors)
  const unreadable = earlier?.unreadable ?? new Set()
  return { write: { request: withoutInputs(write), columns: {} }, earlier: { errors, unreadable } }
}

/** Whether they can be read is said by who begins the import; the row would say of every text that it is no list. */
const withoutInputs = (write: WriteRequest): WriteRequest => ({
  ...write,
  attributes: new Map([...write.attributes].filter(([name]) => name !== 'inputs')),
})

export const handleUpdate =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const id = idOf(req)
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'update')
    const target = { definition, registry, operation: 'update', id } as const
    const { query, request: sent, earlier } = await readSent(req.body, request, target, deps.clock.now())
    const { row: seen } = await requireSeen(definition, id, request, earlier)
    const row = await updateResource(definition, seen, sent, { ...writingOf(request, deps), earlier })
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
