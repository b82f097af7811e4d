/** GET /.well-known/oauth-authorization-server (RFC 8414): what this server does, and nothing it does not. */
import { allowCrossOrigin } from '@merx/http/cross-origin'
import type { OwnHosts } from '@merx/http/host'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router } from 'express'
import { grants } from '../grants/index.ts'

export interface MetadataRouteDeps {
  readonly issuer: string
  readonly hosts: Pick<OwnHosts, 'originOf'>
}

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'] as const

export const describeServer = (issuer: string, url: string) => ({
  issuer,
  authorization_endpoint: `${url}/oauth/authorize`,
  token_endpoint: `${url}/oauth/token`,
  jwks_uri: `${url}/.well-known/jwks.json`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grants.map(({ name }) => name),
  token_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
  revocation_endpoint: `${url}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
  introspection_endpoint: `${url}/oauth/introspect`,
  introspection_endpoint_auth_methods_supported: WITH_SECRET,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

export const metadataRoutes = ({ issuer, hosts }: MetadataRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/.well-known/oauth-authorization-server')
    .all(allowCrossOrigin({ methods: ['GET'] }))
    .get((req, res) => {
      // It depends on the host of the request, so no shared cache may store it.
      res.setHeader('Cache-Control', 'private, max-age=300')
      res.json(describeServer(issuer, hosts.originOf(req, 'auth')))
    })
    .all(methodNotAllowed(['GET'], 'oauth_method_not_allowed'))
  return router
}
