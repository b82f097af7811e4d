/** Gives each request its id and its trace, and runs what follows in their context. */
import { randomUUID } from 'node:crypto'
import { runWithContext } from '@merx/telemetry/request-context'
import { parseTraceparent, toTraceId, toUuid, type RemoteParent } from '@merx/telemetry/trace-ids'
import { isTracing } from '@merx/telemetry/tracing'
import { context } from '@opentelemetry/api'
import type { Request, RequestHandler } from 'express'
import { traceRequest } from './trace-requests.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** The caller's trace id is the request id. X-Request-Id counts only as a UUID: the id goes to logs and into headers. */
const chooseId = ({ headers }: Request, parent: RemoteParent | undefined): string => {
  if (parent !== undefined) return toUuid(parent.traceId)
  const given = headers['x-request-id']
  return typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : randomUUID()
}

export const identifyRequest: RequestHandler = (req, res, next) => {
  const parent = parseTraceparent(req.headers['traceparent'])
  const requestId = chooseId(req, parent)
  res.setHeader('X-Request-Id', requestId)
  res.locals['requestId'] = requestId
  const span = isTracing() ? traceRequest(req, res, requestId, parent) : undefined
  const traceId = span === undefined ? undefined : toTraceId(requestId)
  res.locals['traceId'] = traceId
  const own = { requestId, clientAddress: req.ip, traceId, traceparent: parent?.traceparent }
  runWithContext(own, () => {
    if (span === undefined) next()
    else context.with(span, () => next())
  })
}
