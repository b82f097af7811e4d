/** The npm package openid-client, unmodified, configured by nothing but the issuer and a credential (RFC 8414). */
import * as client from 'openid-client'
import { connect } from '../support/connect.ts'
import { consentTo } from '../support/consent.ts'
import { demo, environment, publicMarket, type CredentialName } from '../support/demo.ts'
import { JWT_BEARER, jwtBearerBody, marketScope, passwordBody } from '../support/grants.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'

/** The second organization: the sign-ins of the authorize page are counted by account. */
const ORGANIZATION = 1

const issuer = () => new URL(`https://auth.${demo().domain}`)

const discover = (name: CredentialName, how: 'post' | 'basic' | 'none' = 'post', index = ORGANIZATION) => {
  const { client_id, client_secret } = environment('test', index).credentials[name]
  const authentication = {
    post: client.ClientSecretPost(client_secret),
    basic: client.ClientSecretBasic(client_secret),
    none: client.None(),
  }[how]
  return client.discovery(issuer(), client_id, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests], // the local system speaks http
    [client.customFetch]: createMappedFetch().fetch as client.CustomFetch,
  })
}

const signIn = async (config: client.Configuration, scope: string) => {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const redirectUri = environment('test', ORGANIZATION).credentials.webapp.redirect_uri
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const answer = await consentTo(url.href, ORGANIZATION)
  return { answer, checks: { pkceCodeVerifier: verifier, expectedState: state } }
}

const refusalOf = async (act: Promise<unknown>): Promise<{ error: string; status: number }> => {
  try {
    await act
  } catch (error) {
    if (error instanceof client.ResponseBodyError) return { error: error.error, status: error.status }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('discovery', () => {
  test('gives every endpoint, under an issuer that matches', async () => {
    const metadata = (await discover('integration')).serverMetadata()
    expect(metadata.issuer).toBe(issuer().href.replace(/\/$/, ''))
    expect(metadata).toMatchObject({
      token_endpoint: expect.stringMatching(/\/oauth\/token$/) as unknown,
      authorization_endpoint: expect.stringMatching(/\/oauth\/authorize$/) as unknown,
      revocation_endpoint: expect.stringMatching(/\/oauth\/revoke$/) as unknown,
      introspection_endpoint: expect.stringMatching(/\/oauth\/introspect$/) as unknown,
      jwks_uri: expect.stringMatching(/jwks\.json$/) as unknown,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(metadata.supportsPKCE()).toBe(true)
  })
})

describe('authorization code with PKCE', () => {
  test('ends in a token that works, is refreshed, introspected, and revoked', async () => {
    const config = await discover('webapp')
    const { answer, checks } = await signIn(config, marketScope('test', ORGANIZATION))
    // Checks state and iss (RFC 9207) of the answer before it exchanges the code.
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      scope: marketScope('test', ORGANIZATION),
      owner_type: 'user',
    })
    expect((await connect().core('orders', { token: tokens.access_token })).status).toBe(200)

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    const info = await client.tokenIntrospection(config, renewed.access_token)
    expect(info).toMatchObject({ active: true, token_type: 'bearer', iss: issuer().origin })
    expect((await client.tokenIntrospection(config, renewed.refresh_token ?? '')).active).toBe(true)

    await client.tokenRevocation(config, renewed.refresh_token ?? '', { token_type_hint: 'refresh_token' })
    for (const token of [renewed.access_token, renewed.refresh_token ?? ''])
      expect(await client.tokenIntrospection(config, token)).toEqual({ active: false })
    expect(await refusalOf(client.refreshTokenGrant(config, renewed.refresh_token ?? ''))).toEqual({
      error: 'invalid_grant',
      status: 400,
    })
  })

  test('is refused with another verifier, and a code works once', async () => {
    const config = await discover('webapp', 'basic')
    const { answer, checks } = await signIn(config, marketScope('test', ORGANIZATION))
    const other = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    const refusal = { error: 'invalid_grant', status: 400 }
    expect(await refusalOf(client.authorizationCodeGrant(config, answer, other))).toEqual(refusal)
    expect(await refusalOf(client.authorizationCodeGrant(config, answer, checks))).toEqual(refusal)
  })

  test('that the user denies, or that asks for nonsense, arrives as an error the client understands', async () => {
    const config = await discover('webapp')
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: environment('test', ORGANIZATION).credentials.webapp.redirect_uri,
      scope: 'market:code:nowhere',
      state: 'one',
    })
    const { headers } = await connect().raw('GET', url.href)
    const answer = new URL(headers.location ?? 'about:blank')
    await expect(
      client.authorizationCodeGrant(config, answer, { expectedState: 'one' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' })
  })
})

describe('the other grants', () => {
  test.each(['post', 'basic'] as const)('client_credentials with the secret by %s', async (how) => {
    const tokens = await client.clientCredentialsGrant(await discover('integration', how))
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'market:all' })
    expect(tokens.expiresIn()).toBeGreaterThan(0)
    expect((await connect().core('skus', { token: tokens.access_token })).status).toBe(200)
  })

  test('client_credentials of a public client, without a secret', async () => {
    const tokens = await client.clientCredentialsGrant(await discover('sales_channel', 'none'), {
      scope: `market:code:${publicMarket('test', ORGANIZATION).code}`,
    })
    expect((await connect().core('skus', { token: tokens.access_token })).status).toBe(200)
  })

  test('password, as a generic grant, then refresh and revocation by the public client', async () => {
    const config = await discover('sales_channel', 'none')
    const { username, password, scope } = passwordBody('test', ORGANIZATION)
    const tokens = await client.genericGrantRequest(config, 'password', { username, password, scope })
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(renewed.access_token).not.toBe(tokens.access_token)
    await client.tokenRevocation(config, renewed.access_token)
  })

  test('jwt-bearer, as a generic grant', async () => {
    const { assertion } = await jwtBearerBody(environment('test', ORGANIZATION).credentials.webapp)
    const tokens = await client.genericGrantRequest(await discover('webapp'), JWT_BEARER, { assertion })
    expect(tokens.scope).toBe('market:all')
  })

  test('a refusal is one the client understands', async () => {
    const config = await discover('integration')
    expect(await refusalOf(client.clientCredentialsGrant(config, { scope: 'nonsense' }))).toEqual({
      error: 'invalid_scope',
      status: 400,
    })
    const { client_id } = environment('test', ORGANIZATION).credentials.integration
    const impostor = new client.Configuration(
      config.serverMetadata(),
      client_id,
      undefined,
      client.ClientSecretBasic('no'),
    )
    client.allowInsecureRequests(impostor)
    impostor[client.customFetch] = createMappedFetch().fetch as client.CustomFetch
    await expect(client.clientCredentialsGrant(impostor)).rejects.toMatchObject({ status: 401 })
  })
})
