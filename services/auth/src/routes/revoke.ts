/** POST /oauth/revoke (RFC 7009, auth.md 4). Success is always `{}`: clients parse the body. */
import { AppError } from '@merx/errors/app-error'
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type RequestHandler } from 'express'
import { presentedClient } from '../clients/client-authentication.ts'
import type { AuthenticateClient } from '../clients/with-attempt-limits.ts'
import { parseRevocation, type RevocationParameters } from '../tokens/revocation-parameters.ts'
import { revokeToken, type RevokeDeps } from '../tokens/revoke-token.ts'
import { noStore } from './no-store.ts'
import { readOAuthBody } from './token.ts'

export interface RevokeRouteDeps extends RevokeDeps {
  readonly authenticate: AuthenticateClient
  readonly limit: RequestHandler
}

/** Clients compare this answer (auth.md 3): without a client there is nobody to authorize. */
const requireSomeClient = (
  authorization: string | undefined,
  { client_id: clientId }: RevocationParameters,
): void => {
  if (authorization === undefined && clientId === undefined) {
    throw new AppError('revocation_forbidden', { cause: 'no client_id' })
  }
}

const handleRevoke =
  (deps: RevokeRouteDeps): RequestHandler =>
  async (req, res) => {
    const parameters = parseRevocation(req.body)
    const authorization = req.get('authorization')
    requireSomeClient(authorization, parameters)
    const presented = presentedClient(authorization, parameters)
    const client = await deps.authenticate(presented, { isSecretRequired: false }, req.ip)
    await revokeToken(parameters.token, client, deps)
    res.status(200).json({})
  }

export const revokeRoutes = (deps: RevokeRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/oauth/revoke')
    .all(allowCrossOrigin({ methods: ['POST'] }))
    .post(noStore, deps.limit, readOAuthBody, handleRevoke(deps))
    .all(methodNotAllowed(['POST'], 'oauth_method_not_allowed'))
  return router
}
