/** The public side: which path of which address goes to which service. Everything else is unknown there. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import type { Logger } from '@merx/telemetry/logger'

export interface GatewayTargets {
  readonly auth: RequestListener
  readonly core: RequestListener
  readonly metrics: RequestListener
}

export interface Gateway {
  /** `{base_url}`: collections, metrics and the token information that dashboards ask for. */
  readonly base: RequestListener
  /** `{auth_url}`: all of auth. */
  readonly auth: RequestListener
}

/** Path prefixes of the base address, whole segments only. The nginx configuration says the same. */
const ROUTES = [
  { prefix: '/api', target: 'core' },
  { prefix: '/metrics', target: 'metrics' },
  { prefix: '/oauth/tokeninfo', target: 'auth' },
] as const satisfies readonly { prefix: string; target: keyof GatewayTargets }[]

/** Routes by path before any framework sees the request, so that each service answers exactly as it does alone. */
export const createGateway = (
  targets: GatewayTargets,
  options: { log: Logger; trustProxy: number },
): Gateway => {
  const unknown = createUnknown(options)
  const base = (req: IncomingMessage, res: ServerResponse): void => {
    const path = pathOf(req.url ?? '/')
    const route = ROUTES.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    const handler = route === undefined ? unknown : targets[route.target]
    handler(req, res)
  }
  return { base, auth: targets.auth }
}

/** Also of the absolute form that proxies send (RFC 9112, 3.2.2). */
const pathOf = (url: string): string => {
  if (url.startsWith('/')) return url.split('?', 1)[0] ?? '/'
  return URL.canParse(url) ? new URL(url).pathname : '/'
}

const createUnknown = ({ log, trustProxy }: { log: Logger; trustProxy: number }): RequestListener => {
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
