import {
  assertionOf,
  claimsOf,
  clientOf,
  oauthErrorOf,
  startTestSystem,
  type TestSystem,
} from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'jwt_bearer' })
})
afterAll(() => system.close())

const CUSTOMER = { type: 'Customer', id: 'customerAA' }

const ask = (
  kind: 'salesChannel' | 'webapp' | 'integration',
  claims: Record<string, unknown>,
  changes: Record<string, unknown> = {},
) =>
  system.token({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ...clientOf(system.credentials[kind]),
    assertion: assertionOf(claims),
    ...changes,
  })

describe('jwt-bearer', () => {
  it('gives a sales channel a token on behalf of a customer, for market:all without scope', async () => {
    const response = await ask('salesChannel', { owner: CUSTOMER, custom_claim: { name: 'Jörg' } })
    expect(response.status).toBe(200)
    expect(Object.keys(response.body as object)).toEqual([
      ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
      ...['created_at', 'owner_id', 'owner_type'],
    ])
    expect(response.body).toMatchObject({
      scope: 'market:all',
      owner_id: 'customerAA',
      owner_type: 'customer',
    })
    expect(claimsOf(response)).toMatchObject({
      application: { public: true, confidential: true },
      owner: CUSTOMER,
      custom_claim: { name: 'Jörg' },
    })
  })

  it('gives a webapp a token on behalf of a user, with the role of the user', async () => {
    const owner = { type: 'User', id: system.userId }
    const response = await ask('webapp', { owner })
    expect(response.body).toMatchObject({ owner_id: system.userId, owner_type: 'user', expires_in: 7_200 })
    expect(claimsOf(response)).toMatchObject({ owner, role: { id: system.adminRoleId, kind: 'admin' } })
  })

  it('gives a token without owner for a custom claim alone', async () => {
    const response = await ask('webapp', { custom_claim: { a: 1 } })
    expect(Object.keys(response.body as object)).toEqual([
      ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'created_at'],
    ])
    expect(claimsOf(response)).not.toHaveProperty('owner')
    expect(claimsOf(response)).not.toHaveProperty('role')
  })

  it('narrows to a scope', async () => {
    const response = await ask('salesChannel', { owner: CUSTOMER }, { scope: 'market:code:usa' })
    expect(claimsOf(response)).toMatchObject({ market: { id: ['marketUsAA'] } })
  })

  it.each([
    ['no claims', {}],
    ['an unknown customer', { owner: { type: 'Customer', id: 'nobodyAAAA' } }],
    ['an unknown user', { owner: { type: 'User', id: 'nobodyAAAA' } }],
    ['an owner of another type', { owner: { type: 'Robot', id: 'a' } }],
  ])('refuses %s in the documented words, with the reason in meta', async (_name, claims) => {
    const response = await ask('salesChannel', claims)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      error: 'invalid_assertion',
      error_description: 'The provided assertion is invalid.',
      errors: [
        {
          title: 'invalid_assertion',
          detail: 'The provided assertion is invalid.',
          code: 'BAD_REQUEST',
          status: 400,
          meta: { reason: expect.any(String) as unknown },
        },
      ],
    })
  })

  it.each([
    ['text that is no JWT', 'hello'],
    ['more than 4 KB', assertionOf({ custom_claim: { fill: 'x'.repeat(4_096) } })],
  ])('refuses %s as invalid_assertion', async (_name, assertion) => {
    expect(oauthErrorOf(await ask('salesChannel', {}, { assertion }))).toMatchObject({
      error: 'invalid_assertion',
    })
  })

  it('refuses a custom claim that would make a token too large to be used', async () => {
    const response = await ask('salesChannel', { custom_claim: { fill: 'é'.repeat(1_400) } })
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_request' })
    expect(oauthErrorOf(response).error_description).toContain('larger than 8192 bytes')
  })

  it('needs an assertion', async () => {
    const response = await ask('salesChannel', {}, { assertion: undefined })
    expect(oauthErrorOf(response)).toMatchObject({
      error: 'invalid_request',
      error_description: 'Missing required parameter: assertion.',
    })
  })

  it('needs the secret of a sales channel too', async () => {
    expect((await ask('salesChannel', { owner: CUSTOMER }, { client_secret: undefined })).status).toBe(401)
  })

  it('refuses a private market, which needs the password grant', async () => {
    const response = await ask(
      'salesChannel',
      { owner: { type: 'Customer', id: 'customerBB' } },
      { scope: 'market:code:club' },
    )
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_scope' })
  })

  it('refuses an integration as unauthorized_client', async () => {
    const response = await ask('integration', { owner: CUSTOMER })
    expect(oauthErrorOf(response)).toMatchObject({ error: 'unauthorized_client' })
  })
})
