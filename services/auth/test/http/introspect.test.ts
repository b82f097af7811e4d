import { clientOf, oauthErrorOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'introspect' })
})
afterAll(() => system.close())

const introspect = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  system.api.post('/oauth/introspect', { body, headers })

const integrationToken = async (): Promise<string> => {
  const answer = await system.token({
    grant_type: 'client_credentials',
    ...clientOf(system.credentials.integration),
  })
  return (answer.body as { access_token: string }).access_token
}

const customerTokens = async () => {
  const answer = await system.token({
    grant_type: 'password',
    client_id: system.credentials.salesChannel.clientId,
    username: 'ann@example.com',
    password: 'correct horse',
    scope: 'market:code:usa',
  })
  return answer.body as { access_token: string; refresh_token: string }
}

/** A client of another organization. */
const otherCaller = async () => {
  const { provisioning } = system.auth
  const { id: organizationId } = await provisioning.createOrganization({ slug: 'other', name: 'Other' })
  const { id: roleId } = await provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
  return provisioning.createCredential({
    organizationId,
    mode: 'test',
    kind: 'integration',
    name: 'X',
    roleId,
  })
}

describe('introspection (RFC 7662)', () => {
  it('returns the claims of an access token to a client of the organization', async () => {
    const { access_token: token } = await customerTokens()
    const response = await introspect({ ...clientOf(system.credentials.integration), token })
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    const now = system.clock.now().getTime() / 1000
    expect(response.body).toMatchObject({
      active: true,
      scope: 'market:code:usa',
      client_id: system.credentials.salesChannel.clientId,
      token_type: 'bearer',
      exp: now + 14_400,
      iat: now,
      sub: 'customerAA',
      iss: 'https://auth.merx.localhost',
      jti: expect.any(String) as string,
      owner: { id: 'customerAA', type: 'Customer' },
      market: { id: ['marketUsAA'] },
      test: true,
    })
  })

  it('names the client as subject of a token without owner', async () => {
    const { clientId, clientSecret } = system.credentials.integration
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const token = await integrationToken()
    const response = await introspect({ token }, { Authorization: `Basic ${basic}` })
    expect(response.body).toMatchObject({ active: true, sub: clientId, role: { kind: 'admin' } })
  })

  it('returns a refresh token as active until it is used', async () => {
    const { refresh_token: token } = await customerTokens()
    const ask = () => introspect({ ...clientOf(system.credentials.webapp), token })
    const { clientId } = system.credentials.salesChannel
    expect((await ask()).body).toMatchObject({ active: true, client_id: clientId, sub: 'customerAA' })
    await system.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
    expect((await ask()).body).toEqual({ active: false })
  })

  it.each(['expired', 'revoked'])('says of an %s token only that it is not active', async (how) => {
    const { access_token: token, refresh_token: refresh } = await customerTokens()
    const client = clientOf(system.credentials.salesChannel)
    if (how === 'expired') system.clock.advance(15 * 24 * 3600)
    else
      for (const each of [token, refresh])
        await system.api.post('/oauth/revoke', { body: { ...client, token: each } })
    for (const each of [token, refresh])
      expect((await introspect({ ...clientOf(system.credentials.integration), token: each })).body).toEqual({
        active: false,
      })
  })

  it('says it of tokens of a customer who was deleted, as tokeninfo does', async () => {
    const { access_token: token, refresh_token: refresh } = await customerTokens()
    const { customers } = system.core.shop
    const removed = customers.splice(0, 1)
    for (const each of [token, refresh])
      expect((await introspect({ ...clientOf(system.credentials.integration), token: each })).body).toEqual({
        active: false,
      })
    expect((await system.api.get('/oauth/tokeninfo', { token })).status).toBe(401)
    customers.unshift(...removed)
    const restored = await introspect({ ...clientOf(system.credentials.integration), token })
    expect(restored.body).toMatchObject({ active: true })
  })

  it('says it of a refresh token whose customer has another password since', async () => {
    const { access_token: token, refresh_token: refresh } = await customerTokens()
    const [customer] = system.core.shop.customers
    if (customer === undefined) throw new Error('no customer')
    const { password } = customer
    customer.password = 'another password'
    const client = clientOf(system.credentials.integration)
    expect((await introspect({ ...client, token: refresh })).body).toEqual({ active: false })
    expect((await introspect({ ...client, token })).body).toMatchObject({ active: true })
    customer.password = password
  })

  it('asks to try again when core cannot say whether the customer is still there', async () => {
    const { access_token: token } = await customerTokens()
    system.core.failWith = 500
    const response = await introspect({ ...clientOf(system.credentials.integration), token })
    system.core.failWith = undefined
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1'])
  })

  it('says the same of a token of another organization, of nonsense and of a forgery', async () => {
    const token = await integrationToken()
    const [head, payload] = token.split('.')
    const { refresh_token: refresh } = await customerTokens()
    const client = clientOf(await otherCaller())
    for (const each of [token, refresh, 'nonsense', `${head}.${payload}.c2ln`, 'x'.repeat(20_000)]) {
      const response = await introspect({ ...client, token: each })
      expect([response.status, response.body]).toEqual([200, { active: false }])
    }
  })

  it('needs the client’s secret, also of a sales channel', async () => {
    const token = await integrationToken()
    for (const client of [
      {},
      { client_id: system.credentials.salesChannel.clientId },
      { client_id: system.credentials.integration.clientId, client_secret: 'wrong' },
    ]) {
      const response = await introspect({ ...client, token })
      expect(response.status).toBe(401)
      expect(oauthErrorOf(response).error).toBe('invalid_client')
    }
  })

  it.each([
    [{}, 'Missing required parameter: token.'],
    [{ token: ['a', 'b'] }, 'The parameter token is given more than once; allowed: once.'],
  ])('refuses the parameters %j', async (parameters, detail) => {
    const response = await introspect({ ...clientOf(system.credentials.integration), ...parameters })
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_request', error_description: detail })
  })

  it('is a POST', async () => {
    const response = await system.api.get('/oauth/introspect')
    expect([response.status, response.headers['allow']]).toEqual([405, 'POST'])
  })
})
