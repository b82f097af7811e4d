import {
  context,
  propagation,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Request, Response } from 'express'

const tracer = trace.getTracer('merx')

/** Whether spans go anywhere: none does until an SDK is registered (see start-telemetry.ts). */
const isTracing = (): boolean => {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('merx') !== undefined
}

/**
 * Runs `next` in a server span around the request, continuing the caller's trace (W3C traceparent). Without an SDK it
 * runs `next` and nothing else.
 */
export const traceRequest = (req: Request, res: Response, next: () => void): void => {
  if (!isTracing()) {
    next()
    return
  }
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
