/** What a new password of a customer ends, and what tokens say of the sign-in. */
import { claimsOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'customer_new_password' })
})
afterAll(() => system.close())
beforeEach(() => system.clock.advance(3_600))

const nowSeconds = () => Math.floor(system.clock.now().getTime() / 1000)

const ann = () => {
  const customer = system.core.shop.customers.find(({ email }) => email === 'ann@example.com')
  if (customer === undefined) throw new Error('the shop has no such customer')
  return customer
}

const shared = () => ({ client_id: system.credentials.salesChannel.clientId, scope: 'market:code:europe' })

const signIn = () =>
  system.token({
    ...shared(),
    grant_type: 'password',
    username: 'ann@example.com',
    password: ann().password,
  })

const refresh = (token: string) =>
  system.token({ ...shared(), grant_type: 'refresh_token', refresh_token: token })

const tokensOf = (response: Awaited<ReturnType<typeof signIn>>) => {
  expect(response.status).toBe(200)
  return response.body as { access_token: string; refresh_token: string }
}

/** As core answers from then on. */
const setPassword = (password: string, secondsAhead = 1) => {
  Object.assign(ann(), { password, password_set_at: nowSeconds() + secondsAhead })
}

const isActive = async (token: string) => {
  const body = { ...clientOf(system.credentials.integration), token }
  return ((await system.api.post('/oauth/introspect', { body })).body as { active: boolean }).active
}

const statusOfInfo = async (token: string) => (await system.api.get('/oauth/tokeninfo', { token })).status

describe('a token of a customer', () => {
  it('says when the customer signed in, also after a refresh', async () => {
    const first = await signIn()
    const signedInAt = nowSeconds()
    expect(claimsOf(first)).toMatchObject({ auth_time: signedInAt, iat: signedInAt })
    system.clock.advance(1_000)
    const second = await refresh(tokensOf(first).refresh_token)
    expect(claimsOf(second)).toMatchObject({ auth_time: signedInAt, iat: signedInAt + 1_000 })
  })

  it('is handed out again for sign-ins within 5 minutes, and not later', async () => {
    const { access_token: first } = tokensOf(await signIn())
    system.clock.advance(300)
    expect(tokensOf(await signIn()).access_token).toBe(first)
    system.clock.advance(1)
    const second = await signIn()
    expect(tokensOf(second).access_token).not.toBe(first)
    expect(claimsOf(second)).toMatchObject({ auth_time: nowSeconds() })
  })

  it('is the only one that says it: those of clients and users do not', async () => {
    const integration = await system.token({
      ...clientOf(system.credentials.integration),
      grant_type: 'client_credentials',
    })
    expect(claimsOf(integration)).not.toHaveProperty('auth_time')
  })
})

describe('a new password of a customer', () => {
  it('ends access and refresh tokens of before', async () => {
    const { access_token: access, refresh_token: refreshToken } = tokensOf(await signIn())
    expect([await isActive(access), await statusOfInfo(access)]).toEqual([true, 200])
    setPassword('second password')
    expect([await isActive(access), await statusOfInfo(access)]).toEqual([false, 401])
    expect((await refresh(refreshToken)).status).toBe(400)
  })

  it('is followed by another token, good from the second in which the password was set', async () => {
    const { access_token: before } = tokensOf(await signIn())
    setPassword('third password')
    const response = await signIn()
    const after = tokensOf(response)
    expect(after.access_token).not.toBe(before)
    expect(claimsOf(response)).toMatchObject({ auth_time: nowSeconds() + 1 })
    expect([await isActive(after.access_token), await statusOfInfo(after.access_token)]).toEqual([true, 200])
    const refreshed = await refresh(after.refresh_token)
    expect(claimsOf(refreshed)).toMatchObject({ auth_time: nowSeconds() + 1 })
    expect(await isActive(tokensOf(refreshed).access_token)).toBe(true)
  })
})
