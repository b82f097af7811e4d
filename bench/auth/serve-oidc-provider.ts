/** npm oidc-provider, set up to issue client_credentials JWTs as services expect them: RS256, from its in-memory adapter. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { Provider } from 'oidc-provider'
import { OIDC_CLIENT } from './oidc-client.ts'

export interface ServeOidcProviderInput {
  readonly signingKeyBits: number
}

const RESOURCE = 'urn:merx:api'
const LIFETIME_SECONDS = 7200

const createProvider = (issuer: string, bits: number): Provider => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return new Provider(issuer, {
    clients: [
      {
        ...OIDC_CLIENT,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    ttl: { ClientCredentials: LIFETIME_SECONDS },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: RESOURCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: LIFETIME_SECONDS,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
}

runAsTarget(async ({ signingKeyBits }: ServeOidcProviderInput) => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const server = createProvider(url, signingKeyBits).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url,
    facts: {},
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
})
