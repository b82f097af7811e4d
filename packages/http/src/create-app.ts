import { randomUUID } from 'node:crypto'
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Logger } from '@merx/telemetry/logger'
import { areMetricsOn } from '@merx/telemetry/metrics'
import { runWithContext } from '@merx/telemetry/request-context'
import { parseTraceparent, toTraceId, toUuid, type RemoteParent } from '@merx/telemetry/trace-ids'
import { isTracing } from '@merx/telemetry/tracing'
import { context } from '@opentelemetry/api'
import express, { type Express, type Request, type Response } from 'express'
import { accessLog, type OnAnswered } from './access-log.ts'
import { rememberDialect, type Dialect } from './dialect.ts'
import { isOf, runSteps, type FirstRoute } from './first-route.ts'
import { isHost } from './host.ts'
import { measureRequests } from './measure-requests.ts'
import { giveMessageClasses } from './message-classes.ts'
import { traceRequest } from './trace-requests.ts'

/** `trustProxy` is the number of proxies in front whose X-Forwarded-* headers are believed; 0 believes none. */
export interface AppOptions extends Dialect {
  readonly service: string
  readonly log: Logger
  readonly trustProxy: number
  /** What a request that cannot be understood is answered with: bad path encoding, no Host or one that is none. Default `bad_request`. */
  readonly malformed?: ErrorCode
  /**
   * A path that is not valid percent-encoding is `malformed`, or `unknown`: left to routes without parameters, which know
   * no such path. Default `malformed`.
   */
  readonly undecodablePaths?: 'malformed' | 'unknown' | undefined
  /** Default: the metrics of the service, while they are on. */
  readonly onAnswered?: OnAnswered
  /** Found before Express looks through its layers; mount it there too, for the other spellings of its path. */
  readonly firstRoute?: FirstRoute
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * The trace of the caller is the request's; so an id of both. Of X-Request-Id only a UUID is taken over: the id goes to
 * logs and back into headers.
 */
const identify = ({ headers }: Request, parent: RemoteParent | undefined): string => {
  if (parent !== undefined) return toUuid(parent.traceId)
  const given = headers['x-request-id']
  return typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : randomUUID()
}

/** These answers are data: never guessed to be another type, framed, or run as a page. Pages set their own policy. */
const setSafeHeaders = (res: Response): void => {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('Referrer-Policy', 'no-referrer')
}

const isDecodable = (url: string): boolean => {
  if (!url.includes('%')) return true // the parser of HTTP lets no control character through
  try {
    return !decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '').includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** With two hosts or two tokens, one server takes the one and the next the other; Node keeps the first without a word. */
const repeatedHeader = ({ rawHeaders }: Request): 'Host' | 'Authorization' | undefined => {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1
  }
  if (hosts > 1) return 'Host'
  return authorizations > 1 ? 'Authorization' : undefined
}

/**
 * RFC 9112 3.2: a request without Host, with more than one, or with one that is no host is answered with 400. The server
 * leaves that to us, so that it gets a body. RFC 9110 5.3: nor may a field be repeated whose value is no list.
 */
const faultOf = (
  req: Request,
  code: ErrorCode,
  undecodablePaths: AppOptions['undecodablePaths'],
): AppError | undefined => {
  const { host } = req.headers
  if (host === undefined && req.httpVersion !== '1.0') {
    return new AppError(code, { detail: 'The Host header is missing.', source: { header: 'Host' } })
  }
  const repeated = repeatedHeader(req)
  if (repeated !== undefined) {
    return new AppError(code, {
      detail: `The ${repeated} header occurs more than once; allowed: one.`,
      source: { header: repeated },
    })
  }
  if (host !== undefined && !isHost(host)) {
    return new AppError(code, {
      detail: 'The Host header is not a name or an address, with a port or without, such as localhost:8080.',
      source: { header: 'Host' },
    })
  }
  if (undecodablePaths !== 'unknown' && !isDecodable(req.url)) {
    return new AppError(code, {
      detail: 'The path is not valid percent-encoded UTF-8; write a literal percent sign as %25.',
    })
  }
  return undefined
}

/** Express's own entrance, and that of an app made here: what `app(req, res)` calls. */
type Handle = (req: Request, res: Response, done?: (error?: unknown) => void) => void

/** What Express sets up at its entrance and what is done before it needs. */
const linkMessages = (app: Express, req: Request, res: Response): void => {
  Object.setPrototypeOf(req, app.request)
  Object.setPrototypeOf(res, app.response)
  req.res = res
  res.req = req
  req.originalUrl = req.url
}

/**
 * What every request begins with, before Express: a layer of it costs more than most of what is done here. Whatever goes
 * wrong before Express enters it with the request, so that one list of error handlers answers everything.
 */
const beginBeforeExpress = (app: Express, options: AppOptions): void => {
  const { service, log, trustProxy, malformed = 'bad_request', undecodablePaths, firstRoute } = options
  const { handle: enterExpress } = app as unknown as { handle: Handle }
  const measure = areMetricsOn() ? measureRequests(service) : undefined
  const logAtEnd = accessLog(log, options.onAnswered ?? measure)
  const failures = new WeakMap<Response, unknown>()

  const serve = (req: Request, res: Response, enter: () => void, fail: (error: unknown) => void): void => {
    const fault = faultOf(req, malformed, undecodablePaths)
    if (fault !== undefined) return fail(fault)
    if (firstRoute === undefined || !isOf(firstRoute, req)) return enter()
    res.locals['route'] = firstRoute.path
    runSteps(firstRoute, req, res, (error) => {
      firstRoute.onError?.(error, req)
      fail(error)
    })
  }

  const begin = (req: Request, res: Response, enter: () => void, fail: (error: unknown) => void): void => {
    const parent = parseTraceparent(req.headers['traceparent'])
    const requestId = identify(req, parent)
    res.locals = { requestId }
    res.setHeader('X-Request-Id', requestId)
    setSafeHeaders(res)
    logAtEnd(req, res)
    // Without a proxy to believe, req.ip is the address of the connection, found at some length.
    const clientAddress = trustProxy === 0 ? req.socket.remoteAddress : req.ip
    const span = isTracing() ? traceRequest(req, res, requestId, parent) : undefined
    const traceId = span === undefined ? undefined : toTraceId(requestId)
    res.locals['traceId'] = traceId
    runWithContext({ requestId, clientAddress, traceId, traceparent: parent?.traceparent }, () => {
      if (span === undefined) serve(req, res, enter, fail)
      else context.with(span, serve, undefined, req, res, enter, fail)
    })
  }

  const handle: Handle = (req, res, done) => {
    const enter = (): void => enterExpress.call(app, req, res, done)
    const fail = (error: unknown): void => {
      failures.set(res, error ?? new Error('something was thrown that is nothing'))
      enter()
    }
    linkMessages(app, req, res)
    try {
      begin(req, res, enter, fail)
    } catch (error) {
      fail(error)
    }
  }
  Object.assign(app, { handle })
  app.use((_req, res, next) => next(failures.get(res)))
}

/**
 * An Express app with what every service owes each request: an id, a span, an access-log line, safe headers, and a
 * refusal of what is no proper request. Mount routes on it, then call finishApp.
 */
export const createApp = (options: AppOptions): Express => {
  const { service, trustProxy, encodeError, internalError } = options
  if (!Number.isInteger(trustProxy) || trustProxy < 0) {
    throw new RangeError(`trustProxy is a number of proxies, 0 or more; got ${trustProxy}`)
  }
  const app = express()
  giveMessageClasses(app)
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('env', 'production') // Express prints stack traces to the caller in any other
  app.set('trust proxy', trustProxy)
  app.set('query parser', 'simple')
  app.enable('case sensitive routing')
  app.locals.service = service
  rememberDialect(app, { encodeError, internalError })
  beginBeforeExpress(app, options)
  return app
}
