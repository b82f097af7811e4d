/** MERX_ISSUER: a standard OAuth client discovers auth at the address that answers, configured by nothing else. */
import { listen, type Listening } from '@merx/http/listen'
import { findFreePort } from '@merx/local-postgres/free-port'
import * as client from 'openid-client'
import { claimsOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
let server: Listening
let issuer: string
beforeAll(async () => {
  const port = await findFreePort()
  issuer = `http://localhost:${port}`
  system = await startTestSystem({ name: 'issuer', env: { MERX_ISSUER: `${issuer}/` } })
  server = await listen(system.auth.app, { host: '127.0.0.1', port })
})
afterAll(async () => {
  await server.close()
  await system.close()
})

describe('an issuer that is the address which answers', () => {
  it('is discovered by openid-client, and its tokens are introspected', async () => {
    const { clientId, clientSecret } = system.credentials.integration
    const options = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] } as const
    const authentication = client.ClientSecretPost(clientSecret)
    const config = await client.discovery(new URL(issuer), clientId, undefined, authentication, {
      ...options,
      execute: [...options.execute],
    })
    expect(config.serverMetadata().issuer).toBe(issuer)
    const tokens = await client.clientCredentialsGrant(config)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      iss: issuer,
    })
  })

  it('is the iss of tokens', async () => {
    const credentials = clientOf(system.credentials.integration)
    const response = await system.token({ ...credentials, grant_type: 'client_credentials' })
    expect(claimsOf(response)).toMatchObject({ iss: issuer })
  })
})
