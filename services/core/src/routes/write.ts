/** POST, PATCH and DELETE of a resource. The answer is the resource as it is after the write. */
import { checkAll } from '@merx/errors/check-all'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseRetrieveQuery, refuseParameters } from '@merx/jsonapi/parse-query'
import { parseWrite } from '@merx/jsonapi/parse-write'
import type { RetrieveQuery } from '@merx/jsonapi/query'
import { renderSingle } from '@merx/jsonapi/render-document'
import { linkTo } from '@merx/jsonapi/render-resource'
import type { WriteRequest, WriteTarget } from '@merx/jsonapi/write-request'
import type { RequestHandler, Response } from 'express'
import { beginExport } from '../exports/begin-export.ts'
import { beginImport } from '../imports/begin-import.ts'
import type { BegunJob } from '../jobs/job-rows.ts'
import { requirePermission } from '../policies/permissions.ts'
import { requireReadable } from '../policies/require-readable.ts'
import { isSalesChannel } from '../policies/scope-references.ts'
import { requireWritable } from '../policies/writable-fields.ts'
import { completeRecord } from '../store/read-one.ts'
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
    const { query, sent } = parseSent(req.body, request, { definition, registry, operation: 'create' })
    const write = await beginJob(definition, sent, request, deps)
    const row = await createResource(definition, write.request, writingOf(request, deps), write.columns)
    if (definition.type in JOBS) deps.jobs.wake()
    await answerWritten(res, 201, definition, row, readAfresh(request), query)
  }

/** Query and document, each with its faults; then what of both the caller may not do. */
const parseSent = (
  body: unknown,
  { caller, query: raw }: CoreRequest,
  target: Omit<WriteTarget, 'isSalesChannel'>,
): { readonly query: RetrieveQuery; readonly sent: WriteRequest } => {
  const { definition, registry, operation } = target
  const [query, sent] = checkAll(
    () => parseRetrieveQuery(raw, definition, registry),
    () => parseWrite(body, { ...target, isSalesChannel: isSalesChannel(caller) }),
  )
  checkAll(
    () => requireReadable(query, definition, caller, registry),
    () => requireWritable(sent, definition, operation, caller, registry),
  )
  return { query, sent }
}

/** Types whose rows are work for the workers: what is asked for is checked before the row is stored. */
const JOBS: Readonly<
  Record<string, (write: WriteRequest, request: CoreRequest, deps: RouteDeps) => Promise<BegunJob>>
> = {
  imports: (write, { caller, reading }) => beginImport(write, caller, reading, whoOf(caller)),
  exports: (write, { caller, reading }, { readScope }) => beginExport(write, caller, reading, readScope),
}

const beginJob = async (
  { type }: ResourceDefinition,
  write: WriteRequest,
  request: CoreRequest,
  deps: RouteDeps,
): Promise<BegunJob> => (await JOBS[type]?.(write, request, deps)) ?? { request: write, columns: {} }

export const handleUpdate =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const { registry } = deps
    const id = idOf(req)
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'update')
    const { query, sent } = parseSent(req.body, request, { definition, registry, operation: 'update', id })
    const { row: seen } = await requireVisible(definition, id, request, true)
    const row = await updateResource(definition, seen, sent, writingOf(request, deps))
    await answerWritten(res, 200, definition, row, readAfresh(request), query)
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
