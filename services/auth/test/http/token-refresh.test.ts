import type { InProcessResponse } from '@merx/testing/in-process-client'
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
  system = await startTestSystem({ name: 'refresh' })
})
afterAll(() => system.close())

const refreshTokenOf = ({ body }: InProcessResponse) => (body as { refresh_token: string }).refresh_token

const signIn = async (
  scope = 'market:code:europe',
  username = 'ann@example.com',
  password = 'correct horse',
) => {
  const client_id = system.credentials.salesChannel.clientId
  const response = await system.token({ grant_type: 'password', client_id, username, password, scope })
  return refreshTokenOf(response)
}

const refresh = (refreshToken: string, changes: Record<string, unknown> = {}) =>
  system.token({
    grant_type: 'refresh_token',
    client_id: system.credentials.salesChannel.clientId,
    refresh_token: refreshToken,
    ...changes,
  })

const expectInvalidGrant = (response: InProcessResponse) => {
  expect(response.status).toBe(400)
  expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_grant' })
}

const bob = ['bob@example.com', 'battery staple'] as const
const market = (code: string) => {
  const found = system.core.shop.markets.find((each) => each.code === code)
  if (found === undefined) throw new Error(`no market ${code}`)
  return found
}

describe('refresh_token', () => {
  it('gives a new access token and a new refresh token for the same owner and scope', async () => {
    const first = await system.token({
      grant_type: 'password',
      client_id: system.credentials.salesChannel.clientId,
      username: 'ann@example.com',
      password: 'correct horse',
      scope: 'market:code:europe',
    })
    const second = await refresh(refreshTokenOf(first))
    expect(second.status).toBe(200)
    expect(Object.keys(second.body as object)).toEqual(Object.keys(first.body as object))
    expect(second.body).toMatchObject({
      owner_id: 'customerAA',
      owner_type: 'customer',
      scope: 'market:code:europe',
    })
    const [before, after] = [claimsOf(first), claimsOf(second)]
    expect(after['owner']).toEqual(before['owner'])
    expect(after['jti']).not.toBe(before['jti'])
    expect(refreshTokenOf(second)).not.toBe(refreshTokenOf(first))
  })

  it('stays valid over many rotations', async () => {
    let token = await signIn()
    for (let round = 0; round < 5; round += 1) {
      system.clock.advance(3_600)
      token = refreshTokenOf(await refresh(token))
    }
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('lives two weeks and not a second longer', async () => {
    const [inTime, tooLate] = [await signIn(), await signIn()]
    system.clock.advance(14 * 86_400 - 1)
    expect((await refresh(inTime)).status).toBe(200)
    system.clock.advance(1)
    expectInvalidGrant(await refresh(tooLate))
  })

  it('forgives a repetition within 10 s, for a client whose answer got lost', async () => {
    const token = await signIn()
    const lost = await refresh(token)
    system.clock.advance(10)
    const repeated = await refresh(token)
    expect(repeated.status).toBe(200)
    expect(refreshTokenOf(repeated)).not.toBe(refreshTokenOf(lost))
  })

  it('ends the family when an old token is replayed later', async () => {
    const token = await signIn()
    const newer = refreshTokenOf(await refresh(token))
    system.clock.advance(10.001)
    expectInvalidGrant(await refresh(token))
    expectInvalidGrant(await refresh(newer))
  })

  it('ends the family when an old token is replayed after its successor was used, however soon', async () => {
    const token = await signIn()
    const newer = refreshTokenOf(await refresh(token))
    const newest = refreshTokenOf(await refresh(newer))
    expectInvalidGrant(await refresh(token))
    expectInvalidGrant(await refresh(newest))
  })

  it('leaves other sign-ins of the same customer alone when a family ends', async () => {
    const [stolen, other] = [await signIn(), await signIn()]
    await refresh(stolen)
    system.clock.advance(11)
    expectInvalidGrant(await refresh(stolen))
    expect((await refresh(other)).status).toBe(200)
  })

  it.each([
    ['an unknown token', 'A'.repeat(43)],
    ['a token of another shape', 'x'],
  ])('refuses %s', async (_name, token) => {
    expectInvalidGrant(await refresh(token))
  })

  it('refuses the token of another client, and leaves it usable for its own', async () => {
    const token = await signIn()
    const { organizationId } = system
    const other = await system.auth.provisioning.createCredential({
      organizationId,
      mode: 'test',
      kind: 'sales_channel',
      name: 'Other',
    })
    expectInvalidGrant(await refresh(token, { client_id: other.clientId }))
    expect((await refresh(token)).status).toBe(200)
  })

  it('refuses a customer whose password was changed, for good, and lets the new one in', async () => {
    const customer = system.core.shop.customers.find(({ email }) => email === 'bob@example.com')
    if (customer === undefined) throw new Error('no bob')
    const { password } = customer
    const before = await signIn('market:code:europe', ...bob)
    const ofAssertion = await system.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...clientOf(system.credentials.salesChannel),
      assertion: assertionOf({ owner: { type: 'Customer', id: customer.id } }),
    })
    customer.password = 'another password'
    for (const token of [before, before, refreshTokenOf(ofAssertion)]) {
      const refused = await refresh(token)
      expect(oauthErrorOf(refused)).toMatchObject({
        error: 'invalid_grant',
        error_description: 'The provided grant is invalid: its customer has another password since.',
      })
    }
    const after = await signIn('market:code:europe', customer.email, customer.password)
    expect((await refresh(after)).status).toBe(200)
    customer.password = password
  })

  it('refuses a customer who no longer exists', async () => {
    const token = await signIn('market:code:europe', ...bob)
    const customers = system.core.shop.customers
    const removed = customers.splice(
      customers.findIndex(({ email }) => email === 'bob@example.com'),
      1,
    )
    const response = await refresh(token)
    customers.push(...removed)
    expectInvalidGrant(response)
    expect(oauthErrorOf(response).error_description).toContain('its customer no longer exists')
  })

  it('narrows the access token when asked to, and keeps the family as wide as it was', async () => {
    const token = await signIn('market:code:europe market:code:usa')
    const narrow = await refresh(token, { scope: 'market:code:usa' })
    expect(claimsOf(narrow)).toMatchObject({ scope: 'market:code:usa', market: { id: ['marketUsAA'] } })
    const wide = await refresh(refreshTokenOf(narrow))
    expect(wide.body).toMatchObject({ scope: 'market:code:europe market:code:usa' })
  })

  it.each(['market:code:usa', 'market:code:europe market:code:usa', 'market:all'])(
    'refuses to widen to %s',
    async (scope) => {
      const response = await refresh(await signIn(), { scope })
      expect(response.status).toBe(400)
      expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_scope' })
    },
  )

  it('leaves out a market that was disabled since, and refuses when none is left', async () => {
    const both = await signIn('market:code:europe market:code:usa')
    const usaOnly = await signIn('market:code:usa')
    market('usa').is_disabled = true
    system.clock.advance(1)
    const left = await refresh(both)
    const none = await refresh(usaOnly)
    market('usa').is_disabled = false
    system.clock.advance(1)
    expect(claimsOf(left)).toMatchObject({
      market: { id: ['marketEuAA'] },
      scope: 'market:code:europe market:code:usa',
    })
    expect(oauthErrorOf(none)).toMatchObject({ error: 'invalid_scope' })
    expect((await refresh(usaOnly)).status).toBe(200)
  })

  it('keeps a customer of the group in the private market, and puts out one who left the group', async () => {
    const token = await signIn('market:code:club', ...bob)
    const second = await refresh(token)
    expect(claimsOf(second)).toMatchObject({ market: { id: ['marketVipA'] } })
    const customer = system.core.shop.customers.find(({ email }) => email === 'bob@example.com')
    if (customer === undefined) throw new Error('no bob')
    customer.customer_group_id = null
    const third = await refresh(refreshTokenOf(second))
    customer.customer_group_id = 'groupGoldA'
    expect(oauthErrorOf(third)).toMatchObject({ error: 'invalid_scope' })
  })

  it('keeps the custom claim of a JWT bearer token, whatever characters it holds', async () => {
    const customClaim = { name: 'Jörg', odd: '\ud800 <>?~', deep: { list: [1, null] } }
    const first = await system.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...clientOf(system.credentials.salesChannel),
      assertion: assertionOf({ custom_claim: customClaim }),
    })
    const second = await refresh(refreshTokenOf(first))
    expect(claimsOf(second)['custom_claim']).toEqual(claimsOf(first)['custom_claim'])
    expect(second.body).not.toHaveProperty('owner_id')
  })

  it('refuses an integration as unauthorized_client', async () => {
    const response = await refresh('x', clientOf(system.credentials.integration))
    expect(oauthErrorOf(response)).toMatchObject({ error: 'unauthorized_client' })
  })

  it('refuses a webapp without its secret', async () => {
    const response = await refresh('x', { client_id: system.credentials.webapp.clientId })
    expect(response.status).toBe(401)
  })

  it('needs a refresh_token', async () => {
    expect(oauthErrorOf(await refresh(''))).toMatchObject({
      error_description: 'Missing required parameter: refresh_token.',
    })
  })
})
