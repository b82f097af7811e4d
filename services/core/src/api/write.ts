/** POST, PATCH and DELETE of a resource. The answer is the resource as it is after the write. */
import { AppErrors } from '@merx/errors/app-error'
import type { AppError } from '@merx/errors/app-error'
import { gather } from '@merx/errors/check-all'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseRetrieveQuery, refuseParameters } from '@merx/jsonapi/parse-query'
import { readWrite } from '@merx/jsonapi/parse-write'
import type { RetrieveQuery } from '@merx/jsonapi/query'
import type { SetChange, WriteRequest, WriteTarget } from '@merx/jsonapi/write-request'
import type { Request, RequestHandler } from 'express'
import { isSalesChannel } from '../access/caller-kinds.ts'
import { requirePermission } from '../access/permissions.ts'
import { requireRecentSignIn } from '../access/recent-sign-in.ts'
import { requireReadable } from '../access/require-readable.ts'
import { requireWritable } from '../access/writable-fields.ts'
import type { PreparedCreate } from '../engine/area.ts'
import type { OpenRecord } from '../engine/read/records.ts'
import { create } from '../engine/write/create.ts'
import type { KeyedWrite } from '../engine/write/keyed-write.ts'
import { numberOf } from '../engine/write/persist.ts'
import { remove } from '../engine/write/remove.ts'
import type { WriteContext } from '../engine/write/run-write.ts'
import { update } from '../engine/write/update.ts'
import type { EarlierViolations } from '../engine/write/violations.ts'
import { answerOnce } from './answer-once.ts'
import { sendAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import { versionCheckOf } from './entity-tags.ts'
import { requireVisible } from './find-visible.ts'
import { requestKeyOf } from './idempotency-key.ts'
import { idOf, openRequest } from './request.ts'
import type { CoreRequest, RouteDeps } from './request.ts'
import { whoOf } from './who-of.ts'
import { keyedWriteOf, renderWritten } from './written-answer.ts'
import type { Writing } from './written-answer.ts'

export const handleCreate =
  (definition: ResourceDefinition, deps: RouteDeps): RequestHandler =>
  async (req, res) => {
    const request = await openRequest(req, res, deps)
    requirePermission(request.caller, definition, 'create')
    const writing = writingOf(definition, req, request, 201, deps)
    const answer = await answerOnce(writing, deps, async () => {
      const sent = await parse(req.body, request, { definition, operation: 'create' }, deps)
      const { write, earlier } = await prepareCreate(definition, sent, request, deps)
      return finish(writing, sent.query, deps, (keyed) => {
        const context = { ...contextOf(request, deps), earlier, keyed, ...enqueuing(definition, deps) }
        return create(definition, write.request, context, write.columns)
      })
    })
    sendAnswer(res, answer)
  }

const writingOf = (
  definition: ResourceDefinition,
  req: Request,
  request: CoreRequest,
  status: Writing['status'],
  { clock, secretBox }: RouteDeps,
): Writing => {
  const { caller, scope } = request
  const key = requestKeyOf(req, caller, scope.environmentId, { now: clock.now(), secretBox })
  return { definition, request, status, key }
}

/** Writes, wakes the workers when the row has a job, and renders the answer, unless the write has done that. */
const finish = async (
  writing: Writing,
  query: RetrieveQuery,
  { secretBox, rowJobs, jobs }: RouteDeps,
  write: (keyed: KeyedWrite | undefined) => Promise<Row>,
): Promise<Answer> => {
  const keyed = keyedWriteOf(writing, query, secretBox)
  const row = await write(keyed)
  if (rowJobs[writing.definition.type]?.isDue(row) === true) jobs.wake()
  return keyed?.answer() ?? renderWritten(writing, row, query)
}

interface ParsedWrite {
  readonly query: RetrieveQuery
  readonly request: WriteRequest
  /** Violations of query and document; the values of the rest are validated all the same (docs/adr/0002). */
  readonly earlier: EarlierViolations | undefined
}

/** An empty query. */
const NO_QUERY: RetrieveQuery = { include: {}, hasIncludes: false, fields: new Map() }

/**
 * Query and document, each with its violations; then the permission for both. Callers without permission get no
 * violations of values.
 */
const parse = async (
  body: unknown,
  { caller, query: raw }: CoreRequest,
  target: Pick<WriteTarget, 'definition' | 'operation' | 'id'>,
  { registry, clock }: RouteDeps,
): Promise<ParsedWrite> => {
  const { definition, operation } = target
  const errors: AppError[] = []
  const query = (await gather(errors, () => parseRetrieveQuery(raw, definition, registry))) ?? NO_QUERY
  const document = readWrite(body, { ...target, registry, isSalesChannel: isSalesChannel(caller) })
  const { request, violations, unreadable, isJudgeable } = document
  errors.push(...violations)
  const count = errors.length
  const guarded = registry.facts.recentSignIn[definition.type] ?? []
  if (operation === 'update')
    await gather(errors, () => requireRecentSignIn(request, guarded, caller, clock.now()))
  await gather(errors, () => requireReadable(query, definition, caller, registry))
  await gather(errors, () => requireWritable(request, definition, operation, caller, registry))
  if (errors.length > count || (count > 0 && !isJudgeable)) throw new AppErrors(errors)
  return { query, request, earlier: count === 0 ? undefined : { errors, unreadable } }
}

/** Enqueues the job of a row in the transaction that writes the row. */
const enqueuing = (
  { type }: ResourceDefinition,
  { jobs, rowJobs }: RouteDeps,
): Pick<WriteContext, 'afterwards'> => {
  const rowJob = rowJobs[type]
  if (rowJob === undefined) return {}
  return {
    afterwards: async (row, environmentId, run) => {
      const payload = { environmentId, id: numberOf(row) }
      if (rowJob.isDue(row)) await jobs.enqueue(rowJob.job, payload, run)
    },
  }
}

/** What an area checks and adds before a record is created; its errors are reported with those of the document. */
const prepareCreate = async (
  { type }: ResourceDefinition,
  { request: write, earlier }: ParsedWrite,
  { caller, reading }: CoreRequest,
  { registry, readScope, secretBox }: RouteDeps,
): Promise<{ readonly write: PreparedCreate; readonly earlier: EarlierViolations | undefined }> => {
  const before = registry.facts.beforeCreate[type]
  if (before === undefined) return { write: { request: write, columns: {} }, earlier }
  const errors = [...(earlier?.errors ?? [])]
  const context = { caller, reading, readScope, actor: whoOf(caller), secretBox }
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
    const request = await openRequest(req, res, deps)
    sendAnswer(res, await updateOnce(definition, { req, request, body: req.body }, deps))
  }

/** An update by a document of the resource, which is the body unless the address is of a part of it. */
export interface SentUpdate {
  readonly req: Request
  readonly request: CoreRequest
  readonly body: unknown
  readonly setChange?: SetChange
}

/** The resource as it is after. */
export const updateOnce = async (
  definition: ResourceDefinition,
  { req, request, body, setChange = 'replace' }: SentUpdate,
  deps: RouteDeps,
): Promise<Answer> => {
  const id = idOf(req)
  requirePermission(request.caller, definition, 'update')
  const target = { definition, operation: 'update', id } as const
  const checkVersion = versionCheckOf(req)
  const writing = writingOf(definition, req, request, 200, deps)
  return answerOnce(writing, deps, async () => {
    const { query, request: sent, earlier } = await parse(body, request, target, deps)
    const { row: seen } = await requireSeen(definition, id, request, earlier)
    return finish(writing, query, deps, (keyed) => {
      const context = {
        ...contextOf(request, deps),
        earlier,
        keyed,
        checkVersion,
        ...enqueuing(definition, deps),
      }
      return update(definition, seen, { ...sent, setChange }, context)
    })
  })
}

/** A resource that does not exist is reported together with the other violations. */
const requireSeen = async (
  definition: ResourceDefinition,
  id: string,
  request: CoreRequest,
  earlier: EarlierViolations | undefined,
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
    const checkVersion = versionCheckOf(req)
    const { number } = await requireVisible(definition, idOf(req), request)
    await remove(definition, number, { ...contextOf(request, deps), checkVersion })
    res.status(204).end()
  }

const contextOf = (
  { caller, reading }: CoreRequest,
  { database, numbers, clock, outside }: RouteDeps,
): WriteContext => ({
  own: { database, numbers, outside },
  reading,
  now: clock.now(),
  actor: whoOf(caller),
})
