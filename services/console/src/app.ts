/** The routes of both listeners, over parts that compose.ts makes. */
import { AppError } from '@merx/errors/app-error'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import { healthRoutes } from '@merx/http/health'
import type { RawErrorCodes } from '@merx/http/raw-errors'
import { KeyValueUnavailable } from '@merx/key-value/key-value'
import type { Logger } from '@merx/telemetry/logger'
import type { ErrorRequestHandler, Express } from 'express'
import type { PageFiles } from './page-files.ts'
import { pageRoutes } from './routes/page.ts'
import { sessionRoutes, type SessionRouteDeps } from './routes/session.ts'
import { signInRoutes, type SignInDeps } from './routes/sign-in.ts'
import { AuthUnavailable } from './sign-in/authorization-server.ts'

export interface PublicAppDeps {
  readonly log: Logger
  readonly trustProxy: number
  readonly files: PageFiles
  readonly signIn: SignInDeps
  readonly session: SessionRouteDeps
}

/** Errors of what never became a request, for the public listener. */
export const rawErrors: RawErrorCodes = {
  encodeError: encodeJsonApi,
  malformed: 'bad_request',
  headersTooLarge: 'headers_too_large',
  timeout: 'request_timeout',
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof KeyValueUnavailable || error instanceof AuthUnavailable

const mapUnavailable: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(isUnavailable(error) ? new AppError('service_unavailable', { cause: error }) : error)
}

export const createPublicApp = ({ log, trustProxy, files, signIn, session }: PublicAppDeps): Express => {
  const app = createApp({
    service: 'console',
    log,
    trustProxy,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  app.use(signInRoutes(signIn), sessionRoutes(session), pageRoutes(files), mapUnavailable)
  finishApp(app, { notFound: 'not_found', log })
  return app
}

export const createInternalApp = (log: Logger): Express => {
  const app = createApp({
    service: 'console-internal',
    log,
    trustProxy: 0,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  // Without Redis sessions end, and everything else goes on: no replica is better off without its requests.
  app.use(healthRoutes({ ready: {}, log }))
  finishApp(app, { notFound: 'not_found', log })
  return app
}
