/** Cross-origin rules of an interface (Fetch standard, CORS). */
import type { RequestHandler } from 'express'

/** `exposedHeaders` are the response headers a page may read besides the safelisted ones (Fetch standard 3.3.3). */
export interface CrossOriginOptions {
  readonly methods: readonly string[]
  readonly exposedHeaders?: readonly string[]
  readonly preflightSeconds?: number
}

/** The last three are W3C Trace Context and Baggage: pages with OpenTelemetry send them with every request. */
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'baggage',
]
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Retry-After',
  'X-Ratelimit-Interval',
  'X-Ratelimit-Limit',
  'X-Ratelimit-Remaining',
  'X-Request-Id',
]
const PREFLIGHT_SECONDS = 7_200

/**
 * Lets pages of any origin call the interface, as storefronts do. Safe because access goes by bearer token only: no
 * cookie is ever read, and credentials mode stays off. Preflights (OPTIONS with Access-Control-Request-Method) are
 * answered here with 204; any other OPTIONS goes on to the routes.
 */
export const allowCrossOrigin = (options: CrossOriginOptions): RequestHandler => {
  const { methods, exposedHeaders = EXPOSED_HEADERS, preflightSeconds = PREFLIGHT_SECONDS } = options
  return (req, res, next) => {
    if (req.headers.origin === undefined) {
      next()
      return
    }
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader('Access-Control-Expose-Headers', exposedHeaders.join(', '))
    if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
      next()
      return
    }
    res.setHeader('Access-Control-Allow-Methods', methods.join(', '))
    res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS.join(', '))
    res.setHeader('Access-Control-Max-Age', preflightSeconds)
    res.status(204).end()
  }
}
