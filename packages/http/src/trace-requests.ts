import { toTraceId, type RemoteParent } from '@merx/telemetry/trace-ids'
import { startServerSpan } from '@merx/telemetry/tracing'
import { SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import type { Request, Response } from 'express'
import { routeOf } from './route-of.ts'

const SERVER_ERROR = 500

/**
 * Begins the server span of a request and ends it with the response: `parent` is the caller's (W3C traceparent), and
 * without one the trace has the request's id. Undefined, and no cost, when the request is not recorded.
 */
export const traceRequest = (
  req: Request,
  res: Response,
  requestId: string,
  parent: RemoteParent | undefined,
): Context | undefined => {
  const { method, headers } = req
  const incoming = { traceId: toTraceId(requestId), parent, tracestate: headers.tracestate }
  const started = startServerSpan(incoming, method)
  const span = started === undefined ? undefined : trace.getSpan(started)
  if (span === undefined) return undefined
  span.setAttributes({ 'http.request.method': method, 'merx.request_id': requestId })
  res.once('close', () => {
    const route = routeOf(req, res)
    if (route !== undefined) {
      span.updateName(`${method} ${route}`)
      span.setAttribute('http.route', route)
    }
    const { errorCodes } = res.locals as { errorCodes?: readonly string[] }
    if (errorCodes?.[0] !== undefined) span.setAttribute('error.type', errorCodes[0])
    span.setAttribute('http.response.status_code', res.statusCode)
    if (res.statusCode >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  return started
}
