/** The public listener ({auth_url}) and the internal one, as Express apps. */
import type { Secret } from '@merx/config/secret'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { encodeOAuth } from '@merx/errors/encode-oauth'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import { healthRoutes } from '@merx/http/health'
import type { RawErrorCodes } from '@merx/http/raw-errors'
import { requireServiceKey } from '@merx/http/service-key'
import type { Logger } from '@merx/telemetry/logger'
import type { ErrorRequestHandler, Express } from 'express'
import type { KeyRing } from './keys/key-ring.ts'
import { accessStateRoutes, type AccessStateRouteDeps } from './routes/access-state.ts'
import { applicationsRoutes, type ApplicationsRouteDeps } from './routes/applications.ts'
import { authorizeRoutes, type AuthorizeRouteDeps } from './routes/authorize.ts'
import { introspectRoutes, type IntrospectRouteDeps } from './routes/introspect.ts'
import { answerJsonApiErrors } from './routes/json-api-errors.ts'
import { jwksRoutes } from './routes/jwks.ts'
import { metadataRoutes, type MetadataRouteDeps } from './routes/metadata.ts'
import { PATH as PROVISIONING_PATH } from './routes/provisioning/request.ts'
import { provisioningRoutes, type ProvisioningRouteDeps } from './routes/provisioning/routes.ts'
import { revokeRoutes, type RevokeRouteDeps } from './routes/revoke.ts'
import { tokenInfoRoutes, type TokenInfoRouteDeps } from './routes/token-info.ts'
import { tokenRoutes, type TokenRouteDeps } from './routes/token.ts'
import { toOAuthUnavailable } from './routes/unavailable.ts'
import { toDatabaseUnavailable } from './store/database-errors.ts'

interface SharedDeps {
  readonly log: Logger
  readonly keys: Pick<KeyRing, 'keySet'>
}

export interface PublicAppDeps extends SharedDeps {
  readonly trustProxy: number
  readonly token: TokenRouteDeps
  readonly revoke: RevokeRouteDeps
  readonly authorize: AuthorizeRouteDeps
  readonly introspect: IntrospectRouteDeps
  readonly tokenInfo: TokenInfoRouteDeps
  readonly metadata: MetadataRouteDeps
  readonly provisioning: ProvisioningRouteDeps
}

export interface InternalAppDeps extends SharedDeps {
  readonly serviceKey: Secret
  readonly accessState: AccessStateRouteDeps
  readonly applications: ApplicationsRouteDeps
  readonly ready: Readonly<Record<string, () => Promise<void>>>
}

/** Errors of what never became a request, for the public listener. */
export const rawErrors: RawErrorCodes = {
  encodeError: encodeOAuth,
  malformed: 'invalid_request',
  headersTooLarge: 'oauth_headers_too_large',
  timeout: 'oauth_request_timeout',
}

const mapDatabaseErrors: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(toDatabaseUnavailable(error))
}

const mapUnavailable: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(toOAuthUnavailable(error))
}

export const createPublicApp = (deps: PublicAppDeps): Express => {
  const { log, trustProxy, keys } = deps
  const app = createApp({
    service: 'auth',
    log,
    trustProxy,
    encodeError: encodeOAuth,
    internalError: 'oauth_internal',
    malformed: 'invalid_request',
  })
  app.use(
    tokenRoutes(deps.token),
    authorizeRoutes(deps.authorize),
    revokeRoutes(deps.revoke),
    introspectRoutes(deps.introspect),
  )
  app.use(tokenInfoRoutes(deps.tokenInfo), jwksRoutes(keys), metadataRoutes(deps.metadata))
  app.use(provisioningRoutes(deps.provisioning))
  app.use(PROVISIONING_PATH, answerJsonApiErrors(log)) // of what is refused before it gets there
  app.use(mapUnavailable)
  finishApp(app, { notFound: 'oauth_not_found', malformed: 'invalid_request', log })
  return app
}

export const createInternalApp = (deps: InternalAppDeps): Express => {
  const { log, keys, serviceKey, accessState, applications, ready } = deps
  const app = createApp({
    service: 'auth-internal',
    log,
    trustProxy: 0,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  app.use(healthRoutes({ ready, log }), jwksRoutes(keys))
  app.use('/internal', requireServiceKey(serviceKey))
  app.use(accessStateRoutes(accessState), applicationsRoutes(applications), mapDatabaseErrors)
  finishApp(app, { notFound: 'not_found', log })
  return app
}
