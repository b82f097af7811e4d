import { randomUUID } from 'node:crypto'
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Logger } from '@merx/telemetry/logger'
import { runWithContext } from '@merx/telemetry/request-context'
import express, { type Express, type RequestHandler } from 'express'
import { accessLog } from './access-log.ts'
import { rememberDialect, type Dialect } from './dialect.ts'
import { traceRequests } from './trace-requests.ts'

/** `trustProxy` is the number of proxies in front whose X-Forwarded-* headers are believed; 0 believes none. */
export interface AppOptions extends Dialect {
  readonly service: string
  readonly log: Logger
  readonly trustProxy: number
  /** What a request that cannot be understood is answered with: bad path encoding, no Host. Default `bad_request`. */
  readonly malformed?: ErrorCode
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Only a UUID is taken over from the caller: the id goes to logs and back into headers. */
const identifyRequest: RequestHandler = (req, res, next) => {
  const given = req.get('x-request-id')
  const requestId = given !== undefined && UUID.test(given) ? given.toLowerCase() : randomUUID()
  res.locals.requestId = requestId
  res.setHeader('X-Request-Id', requestId)
  runWithContext({ requestId, clientAddress: req.ip }, next)
}

/** These answers are data: never guessed to be another type, framed, or run as a page. Pages set their own policy. */
const secureHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('Referrer-Policy', 'no-referrer')
  next()
}

const isDecodable = (path: string): boolean => {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** RFC 9112 3.2: a request without Host is answered with 400. The server leaves that to us, so that it gets a body. */
const refuseMalformed =
  (code: ErrorCode): RequestHandler =>
  (req, _res, next) => {
    if (req.headers.host === undefined && req.httpVersion !== '1.0') {
      throw new AppError(code, { detail: 'The Host header is missing.', source: { header: 'Host' } })
    }
    if (!isDecodable(req.path)) {
      throw new AppError(code, {
        detail: 'The path is not valid percent-encoded UTF-8; write a literal percent sign as %25.',
      })
    }
    next()
  }

/**
 * An Express app with what every service owes each request: an id, a span, an access-log line, safe headers, and a
 * refusal of what is no proper request. Mount routes on it, then call finishApp.
 */
export const createApp = (options: AppOptions): Express => {
  const { service, log, trustProxy, encodeError, internalError, malformed = 'bad_request' } = options
  if (!Number.isInteger(trustProxy) || trustProxy < 0) {
    throw new RangeError(`trustProxy is a number of proxies, 0 or more; got ${trustProxy}`)
  }
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('env', 'production') // Express prints stack traces to the caller in any other
  app.set('trust proxy', trustProxy)
  app.set('query parser', 'simple')
  app.enable('case sensitive routing')
  app.locals.service = service
  rememberDialect(app, { encodeError, internalError })
  app.use(identifyRequest, accessLog(log), traceRequests(), secureHeaders, refuseMalformed(malformed))
  return app
}
