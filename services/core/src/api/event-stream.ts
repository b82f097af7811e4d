/** GET /api/events/stream: events as they commit, as server-sent events (docs/how-to/follow-events.md). */
import { callerOf, verifyAgain } from '@merx/access-token/authenticate'
import type { Caller } from '@merx/access-token/caller'
import { AppError, AppErrors } from '@merx/errors/app-error'
import { beginStream } from '@merx/http/begin-stream'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import { may } from '../access/permissions.ts'
import type { Registry } from '../engine/registry.ts'
import type { EventStreams } from '../events/stream/event-streams.ts'
import { requireListener } from '../events/stream/require-listener.ts'
import { STREAM_PATH } from '../events/stream/streamed-type.ts'
import { typeOfTopic } from '../events/webhook-workflow.ts'
import type { ReadScope } from '../markets/scope/read-scope.ts'
import { EVENT_STREAM_TYPE, parseStreamQuery } from './event-stream-query.ts'
import type { StreamQuery } from './event-stream-query.ts'
import { queryOf } from './request.ts'

export interface EventStreamDeps {
  readonly registry: Registry
  readonly readScope: ReadScope
  readonly eventStreams: EventStreams
}

/** Before the routes of the resources: `stream` is no id of an event. */
export const eventStreamRoutes = (deps: EventStreamDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route(STREAM_PATH)
    .get(handleEventStream(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  return router
}

const handleEventStream =
  ({ registry, readScope, eventStreams }: EventStreamDeps): RequestHandler =>
  async (req, res) => {
    const caller = requireListener(callerOf(res), registry)
    checkAccept(req)
    const { topics, isFromStart } = parseStreamQuery(queryOf(req.originalUrl), registry)
    requireReadableTopics(topics, caller)
    const { environmentId } = (await readScope(caller)).scope
    const lastEventId = req.get('last-event-id')
    const from = await eventStreams.placeFor(environmentId, { lastEventId, isFromStart })
    const stream = eventStreams.open(caller.tokenId)
    try {
      beginStream(res, EVENT_STREAM_TYPE)
      if (req.method === 'HEAD') {
        res.end()
        return
      }
      const verify = () => verifyAgain(res)
      await stream.send({ environmentId, topics, from, output: res, verify, gone: goneOf(res) })
    } finally {
      stream.close()
    }
  }

const goneOf = (res: Response): AbortSignal => {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  return gone.signal
}

/** Throws AppError `not_acceptable`. */
const checkAccept = (req: Request): void => {
  if (req.accepts(EVENT_STREAM_TYPE) !== false) return
  throw new AppError('not_acceptable', {
    detail: `The Accept header is "${(req.get('accept') ?? '').slice(0, 200)}"; it must allow ${EVENT_STREAM_TYPE}.`,
    source: { header: 'Accept' },
  })
}

/** Throws AppErrors of `unauthorized`: a topic that never comes would be waited for without end. */
const requireReadableTopics = (topics: StreamQuery['topics'], caller: Caller): void => {
  const types = new Set([...(topics ?? [])].map(typeOfTopic).filter((type) => !may(caller, type, 'retrieve')))
  if (types.size === 0) return
  const source = { parameter: 'topics' }
  throw new AppErrors(
    [...types].map(
      (type) => new AppError('unauthorized', { detail: `You are not authorized to read ${type}.`, source }),
    ),
  )
}
