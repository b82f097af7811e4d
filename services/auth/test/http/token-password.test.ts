import { claimsOf, oauthErrorOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'password' })
})
afterAll(() => system.close())

const signIn = (changes: Record<string, unknown> = {}) =>
  system.token({
    grant_type: 'password',
    client_id: system.credentials.salesChannel.clientId,
    username: 'ann@example.com',
    password: 'correct horse',
    scope: 'market:code:europe',
    ...changes,
  })

describe('password', () => {
  it('gives a customer a token, with exactly the documented keys in their order', async () => {
    const response = await signIn()
    expect(response.status).toBe(200)
    expect(Object.keys(response.body as object)).toEqual([
      ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
      ...['created_at', 'owner_id', 'owner_type'],
    ])
    expect(response.body).toMatchObject({
      owner_id: 'customerAA',
      owner_type: 'customer',
      expires_in: 14_400,
    })
    expect(claimsOf(response)).toMatchObject({
      owner: { id: 'customerAA', type: 'Customer' },
      market: { id: ['marketEuAA'] },
    })
    expect(claimsOf(response)).not.toHaveProperty('role')
  })

  it('asks core about the customer of this organization and mode', async () => {
    system.core.calls.length = 0
    await signIn()
    const call = system.core.calls.find(({ path }) => path === '/internal/customers/authenticate')
    expect(call).toMatchObject({
      authorization: 'Bearer Zq3v9Lw2Xr7Tn5Kp',
      body: {
        organization_id: system.organizationId,
        mode: 'test',
        email: 'ann@example.com',
        password: 'correct horse',
      },
    })
  })

  it('lets a customer of the group into its private market', async () => {
    const response = await signIn({
      username: 'bob@example.com',
      password: 'battery staple',
      scope: 'market:code:club',
    })
    expect(response.status).toBe(200)
    expect(claimsOf(response)).toMatchObject({ market: { id: ['marketVipA'] } })
  })

  it('gives the same access token again, and a refresh token of its own to each sign-in', async () => {
    const [one, two] = [(await signIn()).body, (await signIn()).body] as Record<string, string>[]
    expect(one?.['access_token']).toBe(two?.['access_token'])
    expect(one?.['refresh_token']).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(one?.['refresh_token']).not.toBe(two?.['refresh_token'])
  })

  it('never gives one customer the token of another', async () => {
    const ann = claimsOf(await signIn())
    const bob = claimsOf(await signIn({ username: 'bob@example.com', password: 'battery staple' }))
    expect(bob['owner']).not.toEqual(ann['owner'])
  })

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown email', { username: 'nobody@example.com' }],
  ])('refuses %s as invalid_grant, in words that tell nothing', async (_name, changes) => {
    const response = await signIn(changes)
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({
      error: 'invalid_grant',
      error_description: 'The provided grant is invalid: the email or the password is wrong.',
    })
  })

  it.each([
    ['a customer of no group in a private market', { scope: 'market:code:club' }],
    ['no market', { scope: undefined }],
    ['market:all', { scope: 'market:all' }],
    ['a disabled market', { scope: 'market:code:closed' }],
  ])('refuses %s as invalid_scope', async (_name, changes) => {
    const response = await signIn(changes)
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_scope' })
  })

  it.each(['username', 'password'])('refuses a request without %s', async (name) => {
    const response = await signIn({ [name]: undefined })
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({
      error: 'invalid_request',
      error_description: `Missing required parameter: ${name}.`,
    })
  })

  it.each(['integration', 'webapp'] as const)('refuses a %s as unauthorized_client', async (kind) => {
    const response = await signIn(clientOf(system.credentials[kind]))
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({ error: 'unauthorized_client' })
  })

  it('keeps passwords, secrets and tokens out of the log', async () => {
    const response = await signIn(clientOf(system.credentials.salesChannel))
    await signIn({ password: 'a very wrong one' })
    const log = JSON.stringify(system.logs.lines)
    const { access_token: access, refresh_token: refresh } = response.body as Record<string, string>
    const secrets = [
      'correct horse',
      'a very wrong one',
      system.credentials.salesChannel.clientSecret,
      access,
      refresh,
    ]
    expect(secrets.filter((secret) => secret === undefined || log.includes(secret))).toEqual([])
    expect(log).toContain('/oauth/token')
  })
})
