/** The public side: which path of which address goes to which service. Everything else is unknown there. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import type { RawErrorCodes, RawErrorsByTarget } from '@merx/http/raw-errors'
import type { Logger } from '@merx/telemetry/logger'

export interface GatewayTargets {
  readonly auth: RequestListener
  readonly core: RequestListener
  readonly metrics: RequestListener
  readonly console: RequestListener
}

export interface GatewayOptions {
  readonly log: Logger
  /** Proxies in front; 0: what a request says of its past is not believed. */
  readonly trustProxy: number
  /** `auth.<domain>` is `{auth_url}` and `<slug>.<domain>` is `{base_url}`, whichever port was asked. */
  readonly domain: string
}

export interface Gateway {
  /** `{base_url}`: collections, metrics, the console, and what dashboards ask of auth: token information and provisioning. */
  readonly base: RequestListener
  /** `{auth_url}`: all of auth. */
  readonly auth: RequestListener
}

/** Path prefixes of the base address, whole segments only. The nginx configuration says the same. */
const ROUTES = [
  { prefix: '/api', target: 'core' },
  { prefix: '/metrics', target: 'metrics' },
  { prefix: '/oauth/tokeninfo', target: 'auth' },
  { prefix: '/provisioning', target: 'auth' },
  { prefix: '/console', target: 'console' },
] as const satisfies readonly { prefix: string; target: keyof GatewayTargets }[]

/** What only a hop in front may say of a request: its id and its trace. */
const HOP_HEADERS = ['x-request-id', 'traceparent', 'tracestate'] as const

/** What a browser that is sent to the bare address asks for. */
const ROOT_ROUTE = { prefix: '/', target: 'console' } as const

const routeOf = (path: string) =>
  path === '/' ? ROOT_ROUTE : ROUTES.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))

/** Routes by name and path before any framework sees the request, so that each service answers exactly as it does alone. */
export const createGateway = (targets: GatewayTargets, options: GatewayOptions): Gateway => {
  const unknown = createUnknown(options)
  const sideOf = createSideOf(options.domain)
  const toBase = (req: IncomingMessage, res: ServerResponse): void => {
    const route = routeOf(pathOf(req.url ?? '/'))
    const handler = route === undefined ? unknown : targets[route.target]
    handler(req, res)
  }
  const listener =
    (byPort: keyof Gateway): RequestListener =>
    (req, res) => {
      if (options.trustProxy === 0) for (const name of HOP_HEADERS) delete req.headers[name]
      const side = sideOf(req.headers.host) ?? byPort
      if (side === 'auth') targets.auth(req, res)
      else toBase(req, res)
    }
  return { base: listener('base'), auth: listener('auth') }
}

/** How each address answers what never became a request: as who is at the path would, as far as the path is known. */
export const createRawErrors = (
  codes: Readonly<Record<keyof GatewayTargets, RawErrorCodes>>,
): Readonly<Record<keyof Gateway, RawErrorsByTarget>> => {
  // Provisioning speaks JSON:API, as core does.
  const codesOf = (target: string, service: keyof GatewayTargets): RawErrorCodes =>
    codes[/^\/provisioning(?:\/|$)/.test(pathOf(target)) ? 'core' : service]
  return {
    base: (target = '/') => codesOf(target, routeOf(pathOf(target))?.target ?? 'core'),
    auth: (target = '/') => codesOf(target, 'auth'),
  }
}

const HOST_NAME = /^([a-z\d-]+)\.(.+?)(?::\d+)?$/i

/** The side that a name stands for, undefined for a name that is not one label below the domain. */
const createSideOf = (domain: string) => {
  const wanted = domain.toLowerCase()
  return (host: string | undefined): keyof Gateway | undefined => {
    const [, label, rest] = HOST_NAME.exec(host ?? '') ?? []
    if (label === undefined || rest?.toLowerCase() !== wanted) return undefined
    return label.toLowerCase() === 'auth' ? 'auth' : 'base'
  }
}

/** Also of the absolute form that proxies send (RFC 9112, 3.2.2). */
const pathOf = (url: string): string => {
  if (url.startsWith('/')) return url.split('?', 1)[0] ?? '/'
  return URL.canParse(url) ? new URL(url).pathname : '/'
}

const createUnknown = ({ log, trustProxy }: GatewayOptions): RequestListener => {
  const app = createApp({
    service: 'gateway',
    log,
    trustProxy,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  finishApp(app, { notFound: 'not_found', log })
  return app
}
