/** GET {base_url}/oauth/tokeninfo. It stands on core's host, so its errors are core's (auth.md 8). */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { AppError } from '@merx/errors/app-error'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { sendError } from '@merx/http/send-error'
import type { Logger } from '@merx/telemetry/logger'
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express'
import { isDatabaseAway } from '../store/database-errors.ts'
import { describeToken, type DescribeTokenDeps } from '../tokens/describe-token.ts'
import { noStore } from './no-store.ts'

export interface TokenInfoRouteDeps extends DescribeTokenDeps {
  readonly readLiveClaims: (token: string) => Promise<AccessTokenClaims | undefined>
  readonly limit: RequestHandler
  readonly log: Logger
}

/** RFC 6750 2.1. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

const invalidToken = (isPresent: boolean): AppError =>
  new AppError('invalid_token', {
    // RFC 6750 3.1: no error code when the request carried no token at all.
    headers: { 'WWW-Authenticate': `Bearer realm="merx"${isPresent ? ', error="invalid_token"' : ''}` },
  })

const handleTokenInfo =
  (deps: TokenInfoRouteDeps): RequestHandler =>
  async (req, res) => {
    const authorization = req.get('authorization')
    const token = BEARER.exec(authorization ?? '')?.[1]
    const claims = token === undefined ? undefined : await deps.readLiveClaims(token)
    const description = claims && (await describeToken(claims, deps))
    if (description === undefined) throw invalidToken(authorization !== undefined)
    res.json(description)
  }

/** The words of auth's errors in those of core. */
const toCoreError = (error: unknown): unknown => {
  if (isDatabaseAway(error)) {
    return new AppError('service_unavailable', { cause: error, headers: { 'Retry-After': '1' } })
  }
  if (!(error instanceof AppError)) return error
  const { code, detail, cause, headers } = error
  return code === 'oauth_unavailable'
    ? new AppError('service_unavailable', { detail, cause, headers: headers ?? { 'Retry-After': '1' } })
    : error
}

const answerErrors =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, _req, res, _next) => {
    const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
    sendError(toCoreError(error), res, dialect, log)
  }

export const tokenInfoRoutes = (deps: TokenInfoRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/oauth/tokeninfo')
    .all(allowCrossOrigin({ methods: ['GET'] }))
    .get(noStore, deps.limit, handleTokenInfo(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  router.use('/oauth/tokeninfo', answerErrors(deps.log))
  return router
}
