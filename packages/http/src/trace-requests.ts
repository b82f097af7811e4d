import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { RequestHandler } from 'express'

const tracer = trace.getTracer('merx')

/** A server span around each request, continuing the caller's trace (W3C traceparent). A no-op without an SDK. */
export const traceRequests = (): RequestHandler => (req, res, next) => {
  const parent = propagation.extract(context.active(), req.headers)
  const attributes = { 'http.request.method': req.method }
  const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER, attributes }, parent)
  res.once('close', () => {
    const route: unknown = (req.route as { path?: unknown } | undefined)?.path
    if (typeof route === 'string') {
      span.updateName(`${req.method} ${req.baseUrl}${route}`)
      span.setAttribute('http.route', `${req.baseUrl}${route}`)
    }
    span.setAttribute('http.response.status_code', res.statusCode)
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  context.with(trace.setSpan(parent, span), next)
}
