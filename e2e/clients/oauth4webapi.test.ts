/** The npm package oauth4webapi, unmodified: it checks each answer against the letter of the RFCs. */
import { jwtDecode } from '@commercelayer/js-auth'
import * as oauth from 'oauth4webapi'
import { connect } from '../support/connect.ts'
import { consentTo } from '../support/consent.ts'
import { demo, environment, type CredentialName } from '../support/demo.ts'
import { marketScope } from '../support/grants.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'

const ORGANIZATION = 1

const issuer = () => new URL(`https://auth.${demo().domain}`)

const options = () => ({
  [oauth.customFetch]: createMappedFetch().fetch as (url: string, init: unknown) => Promise<Response>,
  [oauth.allowInsecureRequests]: true, // the local system speaks http
})

const discover = async (): Promise<oauth.AuthorizationServer> => {
  const response = await oauth.discoveryRequest(issuer(), { algorithm: 'oauth2', ...options() })
  return oauth.processDiscoveryResponse(issuer(), response)
}

const credential = (name: CredentialName) => {
  const { client_id, client_secret } = environment('test', ORGANIZATION).credentials[name]
  return { client: { client_id } satisfies oauth.Client, secret: client_secret }
}

describe('oauth4webapi', () => {
  test('takes code, refresh, introspection and revocation for what the RFCs say', async () => {
    const server = await discover()
    const { client, secret } = credential('webapp')
    const authentication = oauth.ClientSecretBasic(secret)
    const redirectUri = environment('test', ORGANIZATION).credentials.webapp.redirect_uri
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: marketScope('test', ORGANIZATION),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const answer = await consentTo(url.href, ORGANIZATION)
    expect(() => oauth.validateAuthResponse(server, client, answer, 'another state')).toThrow()
    const parameters = oauth.validateAuthResponse(server, client, answer, state)

    const exchanged = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, parameters, redirectUri, verifier, options()] as const),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged)
    expect(tokens.token_type).toBe('bearer')

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        tokens.refresh_token ?? '',
        options(),
      ),
    )
    const introspect = async (token: string) =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, authentication, token, options()),
      )
    expect(await introspect(refreshed.access_token)).toMatchObject({
      active: true,
      client_id: client.client_id,
    })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, refreshed.access_token, options()),
    )
    expect(await introspect(refreshed.access_token)).toEqual({ active: false })
  })

  test('takes client_credentials, and the token is signed by a key that the metadata leads to', async () => {
    const server = await discover()
    const { client, secret } = credential('integration')
    const response = await oauth.clientCredentialsGrantRequest(
      ...([server, client, oauth.ClientSecretPost(secret), {}, options()] as const),
    )
    const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, response)
    const { keys } = (await connect().raw('GET', server.jwks_uri ?? '')).json<{ keys: { kid: string }[] }>()
    expect(keys.map(({ kid }) => kid)).toContain(jwtDecode(token).header.kid)
    expect(jwtDecode(token).payload.iss).toBe(server.issuer)
  })

  test('takes a 401 with its challenge for a refusal of the client', async () => {
    const server = await discover()
    const { client } = credential('integration')
    const refused = await oauth.clientCredentialsGrantRequest(
      ...([server, client, oauth.ClientSecretBasic('wrong'), {}, options()] as const),
    )
    await expect(oauth.processClientCredentialsResponse(server, client, refused)).rejects.toMatchObject({
      cause: expect.anything() as unknown,
      status: 401,
    })
  })
})
