/** GET {base_url}/oauth/tokeninfo. It stands on core's host, so its errors are core's (auth.md 8). */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import type { OwnHosts } from '@merx/http/host'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { limitUnauthorized } from '@merx/rate-limit/limit-unauthorized'
import type { Logger } from '@merx/telemetry/logger'
import { Router, type RequestHandler } from 'express'
import { describeToken, type DescribeTokenDeps } from '../tokens/describe-token.ts'
import { bearerTokenOf, invalidToken } from './bearer-token.ts'
import { answerJsonApiErrors } from './json-api-errors.ts'
import { noStore } from './no-store.ts'

export interface TokenInfoRouteDeps extends DescribeTokenDeps {
  readonly readLiveClaims: (token: string) => Promise<AccessTokenClaims | undefined>
  readonly limit: RequestHandler
  readonly limiter: Limiter
  readonly hosts: Pick<OwnHosts, 'isFor'>
  readonly log: Logger
}

const PATH = '/oauth/tokeninfo'

const handleTokenInfo =
  (deps: TokenInfoRouteDeps): RequestHandler =>
  async (req, res) => {
    const token = bearerTokenOf(req)
    const claims = token === undefined ? undefined : await deps.readLiveClaims(token)
    const isForHost = claims !== undefined && deps.hosts.isFor(req, claims.organization.slug)
    const description = isForHost ? await describeToken(claims, deps) : undefined
    if (description === undefined) throw invalidToken(req)
    res.json(description)
  }

export const tokenInfoRoutes = (deps: TokenInfoRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route(PATH)
    .all(allowCrossOrigin({ methods: ['GET'] }))
    .get(noStore, deps.limit, handleTokenInfo(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  const limitRefusals = limitUnauthorized({
    limiter: deps.limiter,
    unauthorized: 'invalid_token',
    exceeded: 'too_many_requests',
    endpoint: PATH,
  })
  router.use(PATH, limitRefusals, answerJsonApiErrors(deps.log))
  return router
}
