/** The public interface (/api) and the internal one, as Express apps. */
import { authenticate } from '@merx/access-token/authenticate'
import type { Verifier } from '@merx/access-token/verifier'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { finishApp } from '@merx/http/finish-app'
import { healthRoutes } from '@merx/http/health'
import type { OwnHosts } from '@merx/http/host'
import { optionsOnly, sendAllow } from '@merx/http/method-not-allowed'
import type { RawErrorCodes } from '@merx/http/raw-errors'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { limitRequests } from '@merx/rate-limit/limit-requests'
import { limitUnauthorized } from '@merx/rate-limit/limit-unauthorized'
import type { Logger } from '@merx/telemetry/logger'
import { Router } from 'express'
import type { Express } from 'express'
import { checkRulesRoutes } from './api/check-rules.ts'
import { eventStreamRoutes } from './api/event-stream.ts'
import { handleFile } from './api/files.ts'
import { gatewayCallbacks } from './api/gateway-callbacks.ts'
import { budgetOf } from './api/limits.ts'
import { limitUrl } from './api/negotiate.ts'
import { openApiRoutes } from './api/openapi.ts'
import { handlePicture } from './api/pictures.ts'
import { publicRoutes } from './api/public.ts'
import { resourceRoutes } from './api/resources.ts'
import type { SingletonDeps } from './api/singletons.ts'
import { withoutVersion } from './api/version.ts'
import { FILES_PATH } from './bulk/signed-urls.ts'
import type { SignedUrls } from './bulk/signed-urls.ts'
import { PICTURES_PATH } from './catalogue/sku-picture.ts'
import type { EventStreams } from './events/stream/event-streams.ts'
import { CALLBACK_PATH } from './payments/external-gateways.ts'

export interface PublicAppDeps extends SingletonDeps {
  readonly eventStreams: EventStreams
  readonly log: Logger
  readonly trustProxy: number
  readonly verifier: Verifier
  readonly hosts: OwnHosts
  readonly limiter: Limiter
  readonly signedUrls: SignedUrls
}

/** Every address below /api needs a token, known or not. */
export const createPublicApp = (deps: PublicAppDeps): Express => {
  const { log, trustProxy, verifier, hosts, limiter, registry } = deps
  const app = createApp({
    service: 'core',
    log,
    trustProxy,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  // Storefronts call from pages; a preflight carries no token, so it is answered before one is asked for.
  app.use(allowCrossOrigin({ methods: ['GET', 'POST', 'PATCH', 'DELETE'] }))
  app.use(withoutVersion)
  app.use('/api/public', publicRoutes(registry))
  // Before authentication: the address itself is the permission.
  app
    .route(`${FILES_PATH}/:key`)
    .get(limitUrl, handleFile(deps))
    .options((_req, res) => sendAllow(res, ['GET']))
  app
    .route(`${PICTURES_PATH}/:file`)
    .get(limitUrl, handlePicture)
    .options((_req, res) => sendAllow(res, ['GET']))
  // The signature of the body is the permission.
  app.use(gatewayCallbacks(deps, CALLBACK_PATH))
  // One router for all steps: mounted one by one, each would strip the prefix from the address again.
  const api = Router({ caseSensitive: true })
  const routes = Router({ caseSensitive: true }).use(
    openApiRoutes(registry),
    eventStreamRoutes(deps),
    checkRulesRoutes(registry),
    resourceRoutes(deps),
  )
  api.use(
    limitUrl,
    optionsOnly(routes),
    authenticate({
      verifier,
      isFor: (req, slug) => hosts.isFor(req, slug),
      missing: 'invalid_token',
      invalid: 'invalid_token',
    }),
    limitRequests({ limiter, budget: budgetOf(registry), exceeded: 'too_many_requests' }),
    routes,
    limitUnauthorized({
      limiter,
      unauthorized: 'invalid_token',
      exceeded: 'too_many_requests',
      endpoint: '/api',
    }),
  )
  app.use('/api', api)
  finishApp(app, { notFound: 'not_found', log })
  return app
}

export interface InternalAppDeps {
  readonly log: Logger
  /** They ask for the service key themselves. */
  readonly routes: Router
  readonly ready: Readonly<Record<string, () => Promise<void>>>
}

/** For the other services; never routed to the outside. */
export const createInternalApp = ({ log, routes, ready }: InternalAppDeps): Express => {
  const app = createApp({
    service: 'core-internal',
    log,
    trustProxy: 0,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  app.use(healthRoutes({ ready, log }))
  app.use(routes)
  finishApp(app, { notFound: 'not_found', log })
  return app
}

/** Errors of what never became a request. */
export const rawErrors: RawErrorCodes = {
  encodeError: encodeJsonApi,
  malformed: 'bad_request',
  headersTooLarge: 'headers_too_large',
  timeout: 'request_timeout',
}
