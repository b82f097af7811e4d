import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { claimsOf, clientOf, oauthErrorOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'client_credentials' })
})
afterAll(() => system.close())

const EU = 'market:id:marketEuAA'
const INVALID_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'

describe('client_credentials', () => {
  it('gives a sales channel a token for its id and a market, with exactly the documented keys', async () => {
    const { status, headers, body } = await system.token({
      grant_type: 'client_credentials',
      client_id: system.credentials.salesChannel.clientId,
      scope: EU,
    })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(Object.keys(body as object)).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'scope',
      'created_at',
    ])
    expect(body).toMatchObject({
      token_type: 'bearer',
      expires_in: 14_400,
      scope: EU,
      created_at: 1_768_478_400,
    })
  })

  it('gives an integration a token for market:all when no scope is requested', async () => {
    const response = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
    })
    expect(response.body).toMatchObject({ expires_in: 7_200, scope: 'market:all' })
    expect(claimsOf(response)).not.toHaveProperty('market')
  })

  it('takes a form as well as JSON', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
    })
    const { status } = await system.api.post('/oauth/token', {
      body: form.toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(200)
  })

  it('takes HTTP Basic, in either body form', async () => {
    const { clientId, clientSecret } = system.credentials.integration
    const Authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const { status } = await system.token({ grant_type: 'client_credentials' }, { Authorization })
    expect(status).toBe(200)
  })

  it('tolerates keys it does not know', async () => {
    const { status } = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
      domain: 'commercelayer.io',
      anything: { deep: [1] },
    })
    expect(status).toBe(200)
  })

  it('signs RS512 with a published key, and says what the token is for', async () => {
    const response = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
      scope: 'market:code:usa',
    })
    const { body: keySet } = await system.api.get('/.well-known/jwks.json')
    const { access_token: token } = response.body as { access_token: string }
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keySet as JSONWebKeySet), {
      issuer: 'https://auth.merx.localhost',
      currentDate: system.clock.now(),
    })
    expect(protectedHeader).toEqual({
      alg: 'RS512',
      typ: 'JWT',
      kid: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    })
    expect(Object.keys(payload)).toEqual([
      ...['organization', 'application', 'market', 'role', 'scope'],
      ...['exp', 'test', 'rand', 'iat', 'iss', 'jti'],
    ])
    expect(payload).toMatchObject({
      organization: { id: system.organizationId, slug: 'shop', enterprise: false, region: 'eu-west-1' },
      application: {
        id: system.credentials.integration.id,
        client_id: system.credentials.integration.clientId,
        kind: 'integration',
        public: false,
        confidential: true,
      },
      market: {
        id: ['marketUsAA'],
        stock_location_ids: ['usaStockAA'],
        geocoder_id: 'geocoderAA',
        allows_external_prices: true,
      },
      role: { id: system.adminRoleId, kind: 'admin' },
      scope: 'market:code:usa',
      test: true,
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(7_200)
    expect(payload['rand']).toBeGreaterThanOrEqual(0)
    expect(payload['rand']).toBeLessThan(1)
    const ids = [system.organizationId, system.credentials.integration.id, system.adminRoleId]
    expect(ids.every((id) => /^[A-Za-z]{10}$/.test(id))).toBe(true)
  })

  it('says test false for a live credential', async () => {
    const response = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integrationLive),
    })
    expect(claimsOf(response)).toMatchObject({ test: false })
  })

  it('says confidential only for a sales channel that sent its secret', async () => {
    const { salesChannel } = system.credentials
    const body = { grant_type: 'client_credentials', scope: EU }
    const without = await system.token({ ...body, client_id: salesChannel.clientId })
    const within = await system.token({ ...body, ...clientOf(salesChannel) })
    expect(claimsOf(without)).toMatchObject({ application: { public: true, confidential: false } })
    expect(claimsOf(within)).toMatchObject({ application: { public: true, confidential: true } })
  })

  it('returns the scope exactly as it was requested', async () => {
    const scope = ' market:code:europe,market:code:usa '
    const response = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
      scope,
    })
    expect(response.body).toMatchObject({ scope })
    expect(claimsOf(response)).toMatchObject({ scope, market: { id: ['marketEuAA', 'marketUsAA'] } })
  })

  it.each([
    [
      'a store',
      'store:code:milan',
      {
        market: { id: ['marketEuAA'], stock_location_ids: ['milanStock', 'europeStoc'] },
        store: { id: 'storeMilan' },
      },
    ],
    [
      'a stock location',
      'market:id:marketEuAA stock_location:code:eu-stock',
      { market: { stock_location_ids: ['europeStoc'] }, stock_location: { id: 'europeStoc' } },
    ],
  ])('puts %s in scope into the token', async (_name, scope, claims) => {
    const response = await system.token({
      grant_type: 'client_credentials',
      client_id: system.credentials.salesChannel.clientId,
      scope,
    })
    expect(claimsOf(response)).toMatchObject(claims)
  })

  it('honours a custom lifetime', async () => {
    const { organizationId, adminRoleId: roleId } = system
    const credential = await system.auth.provisioning.createCredential({
      ...{ organizationId, mode: 'test', kind: 'integration', name: 'Long', roleId },
      expiresIn: 1_296_000,
    })
    const response = await system.token({ grant_type: 'client_credentials', ...clientOf(credential) })
    expect(response.body).toMatchObject({ expires_in: 1_296_000 })
  })
})

describe('client_credentials refusals', () => {
  it.each([
    ['an integration without secret', () => ({ client_id: system.credentials.integration.clientId })],
    [
      'an integration with an empty secret',
      () => ({ client_id: system.credentials.integration.clientId, client_secret: '' }),
    ],
    [
      'an integration with a wrong secret',
      () => ({ ...clientOf(system.credentials.integration), client_secret: 'wrong' }),
    ],
    [
      'a sales channel with a wrong secret',
      () => ({ ...clientOf(system.credentials.salesChannel), client_secret: 'wrong', scope: EU }),
    ],
    ['an unknown client', () => ({ client_id: 'A'.repeat(43), client_secret: 'x' })],
    [
      'a client id of odd characters',
      () => ({ client_id: "'; DROP TABLE credentials; --", client_secret: 'x' }),
    ],
    ['no client', () => ({})],
  ])('refuses %s with 401 invalid_client in the documented words', async (_name, client) => {
    const response = await system.token({ grant_type: 'client_credentials', ...client() })
    expect(response.status).toBe(401)
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(response.body).toEqual({
      error: 'invalid_client',
      error_description: INVALID_CLIENT,
      errors: [{ title: 'invalid_client', detail: INVALID_CLIENT, code: 'UNAUTHORIZED', status: 401 }],
    })
  })

  it('answers a failed HTTP Basic with a challenge', async () => {
    const Authorization = `Basic ${Buffer.from('who:knows').toString('base64')}`
    const { status, headers } = await system.token({ grant_type: 'client_credentials' }, { Authorization })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Basic realm="merx", charset="UTF-8"')
  })

  it('refuses a client that authenticates in header and body', async () => {
    const { clientId, clientSecret } = system.credentials.integration
    const Authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const response = await system.token(
      { grant_type: 'client_credentials', client_secret: clientSecret },
      { Authorization },
    )
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_request' })
  })

  it('refuses a webapp as unauthorized_client, naming what it may use', async () => {
    const response = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.webapp),
    })
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({
      error: 'unauthorized_client',
      errors: [
        {
          code: 'BAD_REQUEST',
          status: 400,
          detail: expect.stringContaining('allowed: authorization_code, refresh_token') as unknown,
        },
      ],
    })
  })

  it.each([
    ['no scope', undefined, 'Sales channels must put a market in scope'],
    ['market:all', 'market:all', 'Sales channels must put a market in scope'],
    ['an unknown market', 'market:code:mars', "'market:code:mars' names no market"],
    ['an unknown store', 'store:id:nowhere', "'store:id:nowhere' names no store"],
    ['a disabled market', 'market:code:closed', "'market:code:closed' is disabled"],
    ['a private market', 'market:code:club', "'market:code:club' is private"],
    ['two stores', 'store:code:milan store:code:rome', 'more than one store'],
    [
      'a store and another market',
      'store:code:milan market:code:usa',
      "'market:code:usa' is not the market of 'store:code:milan'",
    ],
    ['a stock location alone', 'stock_location:code:eu-stock', 'needs a market in scope too'],
    [
      'a stock location of another market',
      `${EU} stock_location:code:us-stock`,
      'does not belong to the market in scope',
    ],
    ['a malformed scope', 'market:europe', "'market:europe' is malformed; allowed:"],
    [
      'a scope of 21 parts',
      Array.from({ length: 21 }, (_, index) => `market:code:m${index}`).join(' '),
      'at most 20',
    ],
  ])('refuses a sales channel with %s as invalid_scope', async (_name, scope, detail) => {
    const response = await system.token({
      grant_type: 'client_credentials',
      client_id: system.credentials.salesChannel.clientId,
      ...(scope === undefined ? {} : { scope }),
    })
    expect(response.status).toBe(400)
    const { error, error_description: description, errors } = oauthErrorOf(response)
    expect(error).toBe('invalid_scope')
    expect(description).toContain(detail)
    expect(errors).toMatchObject([{ title: 'invalid_scope', code: 'BAD_REQUEST', status: 400 }])
  })

  it('refuses a private market to an integration too', async () => {
    const response = await system.token({
      grant_type: 'client_credentials',
      ...clientOf(system.credentials.integration),
      scope: 'market:code:club',
    })
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_scope' })
  })

  it('refuses a credential within a second of its being disabled', async () => {
    const { organizationId, adminRoleId: roleId } = system
    const credential = await system.auth.provisioning.createCredential({
      organizationId,
      mode: 'test',
      kind: 'integration',
      name: 'Off',
      roleId,
    })
    const body = { grant_type: 'client_credentials', ...clientOf(credential) }
    expect((await system.token(body)).status).toBe(200)
    await runSql(system.databaseUrl, 'UPDATE credentials SET disabled_at = now() WHERE client_id = $1', [
      credential.clientId,
    ])
    system.clock.advance(1)
    expect((await system.token(body)).status).toBe(401)
  })

  it('refuses a market within a second of its being disabled, although a token for it could be reused', async () => {
    const body = {
      grant_type: 'client_credentials',
      client_id: system.credentials.salesChannel.clientId,
      scope: 'market:code:usa',
    }
    expect((await system.token(body)).status).toBe(200)
    const usa = system.core.shop.markets.find(({ code }) => code === 'usa')
    if (usa === undefined) throw new Error('no usa')
    usa.is_disabled = true
    system.clock.advance(1)
    expect(oauthErrorOf(await system.token(body))).toMatchObject({ error: 'invalid_scope' })
    usa.is_disabled = false
    system.clock.advance(1)
    expect((await system.token(body)).status).toBe(200)
  })

  it('answers 503 with Retry-After, not a refusal, while core is unavailable', async () => {
    system.clock.advance(1)
    system.core.failWith = 500
    const response = await system.token({
      grant_type: 'client_credentials',
      client_id: system.credentials.salesChannel.clientId,
      scope: EU,
    })
    system.core.failWith = undefined
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toBe('1')
    expect(oauthErrorOf(response)).toMatchObject({ error: 'temporarily_unavailable' })
  })
})
