/** Creates the Express app of a service with what every request needs before its route. */
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Logger } from '@merx/telemetry/logger'
import { areMetricsOn } from '@merx/telemetry/metrics'
import express, { type Express, type RequestHandler } from 'express'
import { accessLog, type OnAnswered } from './access-log.ts'
import { setDialect, type Dialect } from './dialect.ts'
import { identifyRequest } from './identify-request.ts'
import { measureRequests } from './measure-requests.ts'
import { answerServerOptions } from './method-not-allowed.ts'
import { refuseMalformed, type RefuseMalformedOptions } from './refuse-malformed.ts'

/** `trustProxy` is the number of proxies in front whose X-Forwarded-* headers are believed; 0 believes none. */
export interface AppOptions extends Dialect, Pick<RefuseMalformedOptions, 'undecodablePaths'> {
  readonly service: string
  readonly log: Logger
  readonly trustProxy: number
  /** The error for a request that is not valid HTTP: bad path encoding, missing or malformed Host. Default `bad_request`. */
  readonly malformed?: ErrorCode
  /** Default: the metrics of the service, while they are on. */
  readonly onAnswered?: OnAnswered
}

/** Answers are data: never sniffed for another type, framed, or run as a page. Pages set their own policy. */
const setSafeHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('Referrer-Policy', 'no-referrer')
  next()
}

const logRequests = ({ service, log, onAnswered }: AppOptions): RequestHandler => {
  const logAtEnd = accessLog(log, onAnswered ?? (areMetricsOn() ? measureRequests(service) : undefined))
  return (req, res, next) => {
    logAtEnd(req, res)
    next()
  }
}

/**
 * An Express app that gives each request an id, a span, an access-log line and safe headers, and refuses malformed
 * requests. Mount routes on it, then call finishApp.
 *
 * @example const app = createApp({ service: 'core', log, trustProxy: 0, encodeError: encodeJsonApi, internalError })
 */
export const createApp = (options: AppOptions): Express => {
  const {
    service,
    trustProxy,
    encodeError,
    internalError,
    malformed = 'bad_request',
    undecodablePaths,
  } = options
  if (!Number.isInteger(trustProxy) || trustProxy < 0) {
    throw new RangeError(`trustProxy is a number of proxies, 0 or more; got ${trustProxy}`)
  }
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('env', 'production') // in any other, Express prints stack traces to the caller
  app.set('trust proxy', trustProxy)
  app.set('query parser', 'simple')
  app.enable('case sensitive routing')
  app.locals.service = service
  setDialect(app, { encodeError, internalError })
  app.use(
    setSafeHeaders,
    identifyRequest,
    logRequests(options),
    refuseMalformed({ malformed, undecodablePaths }),
    answerServerOptions,
  )
  return app
}
