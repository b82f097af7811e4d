/** POST /oauth/token: the steps of every grant, in order. */
import { allowCrossOrigin } from '@merx/http/cross-origin'
import { jsonOrFormBody } from '@merx/http/json-body'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { currentContext } from '@merx/telemetry/request-context'
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express'
import { presentedClient } from '../clients/client-authentication.ts'
import type { AuthenticateClient } from '../clients/with-attempt-limits.ts'
import type { GrantDeps } from '../grants/grant.ts'
import { requireGrant, requireGrantAllowed } from '../grants/require-grant.ts'
import { parseParameters, requireParameter } from '../grants/token-parameters.ts'
import { issueToken, type IssueDeps } from '../tokens/issue-token.ts'
import { noStore } from './no-store.ts'
import { parseJsonParameters } from './parse-json-parameters.ts'
import { recordRefusal } from './record-refusals.ts'

export interface TokenRouteDeps extends GrantDeps, IssueDeps {
  readonly authenticate: AuthenticateClient
  readonly refreshTokens: GrantDeps['refreshTokens'] & IssueDeps['refreshTokens']
  readonly limit: RequestHandler
}

/** An assertion of 4 KB, percent-encoded, and everything else, with room to name what is too long. */
const BODY_BYTES_MAX = 131_072

export const readOAuthBody = jsonOrFormBody({
  accept: ['application/json'],
  parse: parseJsonParameters,
  limitBytes: BODY_BYTES_MAX,
  wrongType: 'oauth_unsupported_media_type',
  malformed: 'invalid_request',
  tooLarge: 'oauth_payload_too_large',
})

const handleToken =
  (deps: TokenRouteDeps): RequestHandler =>
  async (req, res) => {
    const parameters = parseParameters(req.body)
    const grant = requireGrant(parameters)
    const presented = presentedClient(req.get('authorization'), parameters)
    const address = currentContext()?.clientAddress
    const client = await deps.authenticate(presented, grant, address)
    requireGrantAllowed(grant, client)
    for (const name of grant.requiredParameters) requireParameter(parameters, name)
    const granted = await grant.run({ client, parameters, address }, deps)
    const answer = await issueToken({ client, grant: grant.name, granted }, deps)
    if (granted.afterIssue !== undefined) await granted.afterIssue(answer)
    res.json(answer)
  }

const PATH = '/oauth/token'

export const tokenRoutes = (deps: TokenRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route(PATH)
    .all(allowCrossOrigin({ methods: ['POST'] }))
    .post(noStore, deps.limit, readOAuthBody, handleToken(deps))
    .all(methodNotAllowed(['POST'], 'oauth_method_not_allowed'))
  const record = recordRefusal(deps.events)
  router.use(PATH, ((error: unknown, req, _res, next) => {
    record(error, req)
    next(error)
  }) satisfies ErrorRequestHandler)
  return router
}
