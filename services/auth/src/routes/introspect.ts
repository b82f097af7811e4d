/** POST /oauth/introspect (RFC 7662), for clients that prove themselves with their secret. */
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type RequestHandler } from 'express'
import { presentedClient } from '../clients/client-authentication.ts'
import type { AuthenticateClient } from '../clients/with-attempt-limits.ts'
import { introspectToken, type IntrospectDeps } from '../tokens/introspect-token.ts'
import { parseRevocation } from '../tokens/revocation-parameters.ts'
import { noStore } from './no-store.ts'
import { readOAuthBody } from './token.ts'

export interface IntrospectRouteDeps extends IntrospectDeps {
  readonly authenticate: AuthenticateClient
  readonly limit: RequestHandler
}

const handleIntrospect =
  (deps: IntrospectRouteDeps): RequestHandler =>
  async (req, res) => {
    // The same parameters as a revocation has (RFC 7662 2.1, RFC 7009 2.1).
    const parameters = parseRevocation(req.body)
    const presented = presentedClient(req.get('authorization'), parameters)
    const client = await deps.authenticate(presented, { isSecretRequired: true }, req.ip)
    res.json(await introspectToken(parameters.token, client, deps))
  }

export const introspectRoutes = (deps: IntrospectRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/oauth/introspect')
    .post(noStore, deps.limit, readOAuthBody, handleIntrospect(deps))
    .all(methodNotAllowed(['POST'], 'oauth_method_not_allowed'))
  return router
}
