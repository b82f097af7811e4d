/** The unmodified npm package @commercelayer/js-auth against the running system; only host names are mapped. */
import {
  authenticate,
  createCompositeStorage,
  getCoreApiBaseEndpoint,
  getProvisioningApiBaseEndpoint,
  getTokenType,
  InvalidTokenError,
  jwtDecode,
  jwtIsDashboard,
  jwtIsIntegration,
  jwtIsSalesChannel,
  jwtIsUser,
  jwtIsWebApp,
  jwtVerify,
  makeIntegration,
  makeSalesChannel,
  revoke,
  TokenError,
  TokenExpiredError,
  type Storage,
} from '@commercelayer/js-auth'
import { eventually } from '@merx/testing/eventually'
import { connect } from '../support/connect.ts'
import { consentTo } from '../support/consent.ts'
import { demo, environment, organization, publicMarket } from '../support/demo.ts'
import { jwtBearerBody, marketScope } from '../support/grants.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const original = globalThis.fetch

beforeEach(() => {
  globalThis.fetch = createMappedFetch().fetch
})

afterAll(() => {
  globalThis.fetch = original
})

const domain = () => demo().domain

const key = (name: 'sales_channel' | 'integration' | 'webapp', index = 0) => {
  const { client_id, client_secret } = environment('test', index).credentials[name]
  return { clientId: client_id, clientSecret: client_secret }
}

const guest = () =>
  authenticate('client_credentials', {
    clientId: key('sales_channel').clientId,
    scope: marketScope(),
    domain: domain(),
  })

const customer = (index = 0) => {
  const { email, password } = environment('test', index).customer
  const { clientId } = key('sales_channel', index)
  return authenticate('password', {
    clientId,
    username: email,
    password,
    scope: marketScope('test', index),
    domain: domain(),
  })
}

const memory = (): Storage => {
  const items = new Map<string, Parameters<Storage['setItem']>[1]>()
  return {
    getItem: async (name) => items.get(name) ?? null,
    setItem: async (name, value) => {
      items.set(name, value)
    },
    removeItem: async (name) => {
      items.delete(name)
    },
  }
}

describe('authenticate', () => {
  test('client_credentials of a sales channel: exactly the keys the client’s own tests ask for', async () => {
    const answer = await guest()
    expect(Object.keys(answer).sort()).toEqual(
      ['accessToken', 'createdAt', 'expires', 'expiresIn', 'scope', 'tokenType'].sort(),
    )
    expect(answer).toMatchObject({ tokenType: 'bearer', scope: marketScope() })
    expect(answer.expires.getTime()).toBeGreaterThan(Date.now())
  })

  test('client_credentials of an integration', async () => {
    const answer = await authenticate('client_credentials', { ...key('integration'), domain: domain() })
    expect(answer.scope).toBe('market:all')
    expect(jwtIsIntegration(jwtDecode(answer.accessToken).payload)).toBe(true)
  })

  test('a sales channel that gives its secret too has application.confidential true', async () => {
    const answer = await authenticate('client_credentials', {
      ...key('sales_channel'),
      scope: marketScope(),
      domain: domain(),
    })
    const { application } = jwtDecode(answer.accessToken).payload
    expect(application).toMatchObject({ kind: 'sales_channel', public: true, confidential: true })
  })

  test('password, then refresh_token', async () => {
    const answer = await customer()
    expect(Object.keys(answer).sort()).toEqual(
      [
        'accessToken',
        'createdAt',
        'expires',
        'expiresIn',
        'ownerId',
        'ownerType',
        'refreshToken',
        'scope',
        'tokenType',
      ].sort(),
    )
    expect(answer.ownerType).toBe('customer')
    const renewed = await authenticate('refresh_token', {
      clientId: key('sales_channel').clientId,
      refreshToken: answer.refreshToken,
      domain: domain(),
    })
    expect(renewed.accessToken).not.toBe(answer.accessToken)
    expect(renewed.refreshToken).not.toBe(answer.refreshToken)
    expect(renewed.ownerId).toBe(answer.ownerId)
  })

  test('authorization_code of a webapp, then refresh_token with another answer each time', async () => {
    const { redirect_uri } = environment('test', 1).credentials.webapp
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: key('webapp', 1).clientId,
      redirect_uri,
      scope: marketScope('test', 1),
    })
    const answer = await consentTo(`${demo().auth_url}/oauth/authorize?${query.toString()}`, 1)
    const tokens = await authenticate('authorization_code', {
      ...key('webapp', 1),
      code: answer.searchParams.get('code') ?? '',
      redirectUri: redirect_uri,
      domain: domain(),
    })
    expect(Object.keys(tokens).sort()).toEqual(
      [
        ...['accessToken', 'createdAt', 'expires', 'expiresIn', 'ownerId', 'ownerType', 'refreshToken'],
        ...['scope', 'tokenType'],
      ].sort(),
    )
    const { payload } = jwtDecode(tokens.accessToken)
    expect(jwtIsWebApp(payload) && payload.owner).toEqual({ type: 'User', id: tokens.ownerId })
    const renewed = await authenticate('refresh_token', {
      ...key('webapp', 1),
      refreshToken: tokens.refreshToken,
      domain: domain(),
    })
    expect(renewed).toMatchObject({
      ownerId: tokens.ownerId,
      ownerType: 'user',
      scope: marketScope('test', 1),
    })
    expect(renewed.refreshToken).not.toBe(tokens.refreshToken)
  })

  test('jwt-bearer with the client’s own assertion', async () => {
    const { ownerId } = await customer()
    const { assertion } = await jwtBearerBody(environment().credentials.sales_channel, {
      type: 'Customer',
      id: ownerId,
    })
    const answer = await authenticate(JWT_BEARER, { ...key('sales_channel'), assertion, domain: domain() })
    expect(answer).toMatchObject({ ownerId, ownerType: 'customer' })
    expect(jwtDecode(answer.accessToken).payload).toMatchObject({
      custom_claim: { name: 'Jörg', list: [1, 2] },
    })
  })

  test('jwt-bearer of a webapp', async () => {
    const { assertion } = await jwtBearerBody(environment().credentials.webapp)
    const answer = await authenticate(JWT_BEARER, { ...key('webapp'), assertion, domain: domain() })
    expect(answer).not.toHaveProperty('ownerId')
    expect(jwtIsWebApp(jwtDecode(answer.accessToken).payload)).toBe(true)
  })

  test('errors arrive as the client expects them', async () => {
    const answer = await authenticate('client_credentials', { clientId: 'nobody', domain: domain() })
    expect(answer.errors).toEqual([
      expect.objectContaining({
        code: 'UNAUTHORIZED',
        title: 'invalid_client',
        status: 401,
        detail:
          'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
      }),
    ])
  })

  test('an empty assertion is an invalid_assertion', async () => {
    const answer = await authenticate(JWT_BEARER, {
      ...key('webapp'),
      assertion: 'e30.e30.e30',
      domain: domain(),
    })
    expect(answer.errors?.[0]).toMatchObject({ code: 'BAD_REQUEST', title: 'invalid_assertion', status: 400 })
    expect(answer.errors?.[0]?.detail).toMatch(/^The provided assertion is invalid/)
  })
})

describe('tokens', () => {
  test('jwtDecode: header, claims and host of the core interface', async () => {
    const { accessToken } = await guest()
    const { header, payload } = jwtDecode(accessToken)
    expect(header).toEqual({
      alg: 'RS512',
      typ: 'JWT',
      kid: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    })
    expect(jwtIsSalesChannel(payload)).toBe(true)
    expect(payload).toMatchObject({
      organization: { id: organization().id, slug: organization().slug },
      market: { id: [publicMarket().id] },
      test: true,
      iss: `https://auth.${domain()}`,
    })
    expect(getTokenType(payload)).toBe('sales_channel:guest')
    expect(getCoreApiBaseEndpoint(accessToken)).toBe(`https://${organization().slug}.${domain()}`)
    expect(getTokenType(jwtDecode((await customer()).accessToken).payload)).toBe('sales_channel:customer')
  })

  test('jwtVerify against the published keys', async () => {
    const { accessToken } = await guest()
    await expect(jwtVerify(accessToken)).resolves.toMatchObject({ payload: { scope: marketScope() } })
    const [header, payload, signature = ''] = accessToken.split('.')
    const forged = [header, payload, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join(
      '.',
    )
    await expect(jwtVerify(forged)).rejects.toThrow('Invalid signature')
  })

  test('jwtVerify with the key at hand, and what it says of other tokens', async () => {
    const { accessToken } = await guest()
    const { kid } = jwtDecode(accessToken).header
    const reply = await connect().auth('GET', '/.well-known/jwks.json')
    const { keys } = reply.json<{ keys: readonly { kid: string }[] }>()
    const jwk = keys.find((each) => each.kid === kid)
    if (jwk === undefined) throw new Error(`the key ${kid} is not published`)
    await expect(jwtVerify(accessToken, { jwk })).resolves.toMatchObject({ header: { kid } })
    await expect(jwtVerify(accessToken, { jwk: { ...jwk, kid: 'another' } })).rejects.toThrow(TokenError)

    const [, payload = '', signature = ''] = accessToken.split('.')
    const stale = Buffer.from(JSON.stringify({ ...jwtDecode(accessToken).payload, exp: 1 })).toString(
      'base64url',
    )
    const header = accessToken.split('.')[0] ?? ''
    await expect(jwtVerify(`${header}.${stale}.${signature}`)).rejects.toThrow(TokenExpiredError)
    expect(payload).not.toBe(stale)
    expect(() => jwtDecode('nonsense')).toThrow(InvalidTokenError)
  })

  test('every question about a token’s kind has one yes', async () => {
    const tokens = [
      (await guest()).accessToken,
      (await authenticate('client_credentials', { ...key('integration'), domain: domain() })).accessToken,
    ]
    const answers = tokens.map((token) => {
      const { payload } = jwtDecode(token)
      return [jwtIsSalesChannel, jwtIsIntegration, jwtIsWebApp, jwtIsUser, jwtIsDashboard].map((is) =>
        is(payload),
      )
    })
    expect(answers).toEqual([
      [true, false, false, false, false],
      [false, true, false, false, false],
    ])
  })

  test('getCoreApiBaseEndpoint and getProvisioningApiBaseEndpoint: the host, or nothing, or an error', async () => {
    const { accessToken } = await guest()
    expect(getCoreApiBaseEndpoint(accessToken)).toBe(`https://${organization().slug}.${domain()}`)
    expect(getProvisioningApiBaseEndpoint(accessToken, { shouldThrow: false })).toBeNull()
    expect(() => getProvisioningApiBaseEndpoint(accessToken)).toThrow(InvalidTokenError)
  })

  test('revoke of a refresh token, which the client takes for no token', async () => {
    const { refreshToken } = await customer()
    const { clientId } = key('sales_channel')
    await expect(revoke({ clientId, token: refreshToken })).rejects.toThrow(InvalidTokenError)
  })

  test('revoke: {} for the client, 401 INVALID_TOKEN on the core interface', async () => {
    const { accessToken } = await customer(1)
    expect((await connect().core('skus', { token: accessToken })).status).toBe(200)
    expect(await revoke({ clientId: key('sales_channel', 1).clientId, token: accessToken })).toEqual({})
    await eventually(async () => (await connect().core('skus', { token: accessToken })).status !== 200)
    const reply = await connect().core('skus', { token: accessToken })
    expect(reply.status).toBe(401)
    expect(reply.json<{ errors: readonly object[] }>().errors[0]).toMatchObject({
      title: 'Invalid token',
      code: 'INVALID_TOKEN',
      status: '401',
    })
  })

  test('revoke by another client: 403 with the words the client’s own tests compare', async () => {
    const { accessToken } = await customer()
    const answer = await revoke({ ...key('integration', 1), token: accessToken })
    expect(answer.errors?.[0]).toMatchObject({
      code: 'FORBIDDEN',
      title: 'unauthorized_client',
      detail: 'You are not authorized to revoke this token',
      status: 403,
    })
  })
})

describe('helpers', () => {
  test('makeSalesChannel: one guest request, then the cache; a customer signs in and out', async () => {
    const { fetch, seen } = createMappedFetch()
    globalThis.fetch = fetch
    const { clientId } = key('sales_channel', 1)
    const scope = marketScope('test', 1)
    const channel = makeSalesChannel({ clientId, scope, domain: domain() }, { storage: memory() })
    const first = await channel.getAuthorization()
    const second = await channel.getAuthorization()
    expect(second.accessToken).toBe(first.accessToken)
    expect(seen).toHaveLength(1)
    const signedIn = await customer(1)
    await channel.setCustomer({
      accessToken: signedIn.accessToken,
      refreshToken: signedIn.refreshToken,
      scope: signedIn.scope,
    })
    expect(await channel.getAuthorization()).toMatchObject({
      ownerType: 'customer',
      ownerId: signedIn.ownerId,
    })
    expect(await channel.logoutCustomer()).toEqual({})
    expect((await channel.getAuthorization()).ownerType).toBe('guest')
  })

  test('makeSalesChannel: a customer without refresh token, and everything removed', async () => {
    const { clientId } = key('sales_channel', 1)
    const scope = marketScope('test', 1)
    const channel = makeSalesChannel({ clientId, scope, domain: domain() }, { storage: memory() })
    const { accessToken, ownerId } = await customer(1)
    await channel.setCustomer({ accessToken, scope })
    expect(await channel.getAuthorization()).toMatchObject({ ownerType: 'customer', ownerId })
    await channel.removeAuthorization('customer')
    expect((await channel.getAuthorization()).ownerType).toBe('guest')
    const { accessToken: ofGuest } = await guest()
    await expect(channel.setCustomer({ accessToken: ofGuest, scope })).rejects.toThrow()
  })

  test('createCompositeStorage: a token found in the second storage is the same token', async () => {
    const { fetch, seen } = createMappedFetch()
    globalThis.fetch = fetch
    const [near, far] = [memory(), memory()]
    const options = { ...key('integration', 1), domain: domain() }
    const first = await makeIntegration(options, { storage: far }).getAuthorization()
    const storage = createCompositeStorage({ storages: [near, far] })
    const second = await makeIntegration(options, { storage }).getAuthorization()
    expect(second.accessToken).toBe(first.accessToken)
    expect(seen).toHaveLength(1)
  })

  test('makeIntegration: revokeAuthorization ends the token, the next one is another', async () => {
    const app = makeIntegration({ ...key('integration', 1), domain: domain() }, { storage: memory() })
    const { accessToken } = await app.getAuthorization()
    expect(await app.revokeAuthorization()).toEqual({})
    const next = await app.getAuthorization()
    expect(next.accessToken).not.toBe(accessToken)
    await app.removeAuthorization()
    expect((await app.getAuthorization()).accessToken).toBe(next.accessToken) // reused by the server
  })

  test('makeIntegration: the default scope market:all is accepted', async () => {
    const app = makeIntegration({ ...key('integration'), domain: domain() }, { storage: memory() })
    const { accessToken, scope } = await app.getAuthorization()
    expect(scope).toBe('market:all')
    expect((await connect().core('skus', { token: accessToken })).status).toBe(200)
  })
})
