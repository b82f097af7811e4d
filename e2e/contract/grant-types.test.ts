import { eventually } from '@merx/testing/eventually'
import { accessToken, clientCredentials, connect, customerToken } from '../support/connect.ts'
import { environment, type CredentialName } from '../support/demo.ts'
import { expectCoreError, expectOAuthError } from '../support/expect-errors.ts'
import { jwtBearerBody, marketScope, passwordBody, signIn } from '../support/grants.ts'
import { provedBy } from '../support/proved-by.ts'
import { claimsOf, type TokenBody } from '../support/wire.ts'

const keyOf = (name: CredentialName) => {
  const { client_id, client_secret } = environment().credentials[name]
  return { client_id, client_secret }
}

const refuse = async (body: object): Promise<void> => {
  expectOAuthError(await connect().token(body), 400, 'unauthorized_client')
}

const give = async (body: object): Promise<TokenBody> => {
  const reply = await connect().token(body)
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<TokenBody>()
}

describe('Grant types per credential kind', () => {
  describe('Client credentials · yes · yes · no', () => {
    test('sales channel: yes, without a refresh token', async () => {
      expect(await give(clientCredentials('sales_channel'))).not.toHaveProperty('refresh_token')
    })

    test('integration: yes, without a refresh token', async () => {
      expect(await give(clientCredentials('integration'))).not.toHaveProperty('refresh_token')
    })

    test('webapp: no', async () => {
      await refuse({ grant_type: 'client_credentials', ...keyOf('webapp') })
    })
  })

  describe('Password · yes · no · no', () => {
    const as = (name: CredentialName) => ({ ...passwordBody(), ...keyOf(name) })

    test('sales channel: yes, with a refresh token and the customer as owner', async () => {
      const body = await give(passwordBody())
      expect(body).toMatchObject({ owner_type: 'customer', refresh_token: expect.any(String) as unknown })
      expect(claimsOf(body.access_token).owner).toEqual({ id: body.owner_id, type: 'Customer' })
    })

    test('integration: no', () => refuse(as('integration')))

    test('webapp: no', () => refuse(as('webapp')))

    test('a wrong password and an unknown email get the same answer', async () => {
      const wrong = await connect().token({ ...passwordBody(), password: 'wrong' })
      const unknown = await connect().token({ ...passwordBody(), username: 'nobody@example.com' })
      const [first, second] = [wrong, unknown].map((reply) => expectOAuthError(reply, 400, 'invalid_grant'))
      expect(first).toEqual(second)
    })

    test.each(['username', 'password'])('%s is required and named', async (name) => {
      const body = expectOAuthError(await connect().token({ ...passwordBody(), [name]: undefined }), 400)
      expect(body.error).toBe('invalid_request')
      expect(body.error_description).toContain(name)
    })

    test('a customer of another environment cannot sign in', async () => {
      const [email, password] = [`only-there-${Date.now()}@example.com`, 'long enough a password']
      const token = await accessToken('integration', { organization: 1 })
      const customer = { data: { type: 'customers', attributes: { email, password } } }
      const made = await connect().core('customers', { token, method: 'POST', body: customer })
      expect({ status: made.status, text: made.text }).toMatchObject({ status: 201 })
      const there = { ...passwordBody('test', 1), username: email, password }
      expect((await connect().token(there)).status).toBe(200)
      const here = { ...passwordBody(), username: email, password }
      expectOAuthError(await connect().token(here), 400, 'invalid_grant')
    })
  })

  describe('Authorization code · no · no · yes', () => {
    const as = (name: CredentialName) => ({
      grant_type: 'authorization_code',
      ...keyOf(name),
      code: 'no such code',
      redirect_uri: environment().credentials.webapp.redirect_uri,
      scope: marketScope(),
    })

    test('sales channel: no', () => refuse(as('sales_channel')))

    test('integration: no', () => refuse(as('integration')))

    test('webapp: yes, so that only the code is wrong', async () => {
      expectOAuthError(await connect().token(as('webapp')), 400, 'invalid_grant')
    })

    test(
      'webapp: with a good code, a token of the user who gave consent',
      provedBy(
        'services/auth/test/http/token-authorization-code.test.ts',
        'gives a webapp a token of the user who gave consent, with the user’s role',
      ),
    )
  })

  describe('Refresh token · yes · no · yes', () => {
    const as = (name: CredentialName, refreshToken: string) => ({
      grant_type: 'refresh_token',
      ...keyOf(name),
      refresh_token: refreshToken,
    })

    test('sales channel: yes, a new access token and a new refresh token', async () => {
      const before = await signIn()
      const { client_id } = keyOf('sales_channel')
      const after = await give({
        grant_type: 'refresh_token',
        client_id,
        refresh_token: before.refresh_token,
      })
      expect(after.access_token).not.toBe(before.access_token)
      expect(after.refresh_token).not.toBe(before.refresh_token)
      expect(after).toMatchObject({ owner_id: before.owner_id, owner_type: 'customer', scope: before.scope })
    })

    test('integration: no', async () => {
      await refuse(as('integration', (await signIn()).refresh_token))
    })

    test('webapp: yes', async () => {
      const before = await give(await jwtBearerBody(environment().credentials.webapp))
      const after = await give(as('webapp', before.refresh_token ?? ''))
      expect(after.refresh_token).not.toBe(before.refresh_token)
    })

    test('a refresh token whose successor was used is refused, and so is everything that came of it', async () => {
      const { client_id } = keyOf('sales_channel')
      const refresh = (refresh_token: string | undefined) =>
        connect().token({ grant_type: 'refresh_token', client_id, refresh_token })
      const { refresh_token: first } = await signIn()
      const second = (await refresh(first)).json<TokenBody>().refresh_token
      const third = (await refresh(second)).json<TokenBody>().refresh_token
      expectOAuthError(await refresh(first), 400, 'invalid_grant')
      expectOAuthError(await refresh(third), 400, 'invalid_grant')
    })

    test('ten at once with one refresh token: each gets an answer, none a fault', async () => {
      const { refresh_token } = await signIn()
      const body = { grant_type: 'refresh_token', client_id: keyOf('sales_channel').client_id, refresh_token }
      const replies = await Promise.all(Array.from({ length: 10 }, () => connect().token(body)))
      for (const { status } of replies) expect([200, 400]).toContain(status)
      expect(replies.some(({ status }) => status === 200)).toBe(true)
    })

    test('the refresh token of another credential is refused', async () => {
      const { refresh_token } = await signIn()
      expectOAuthError(await connect().token(as('webapp', refresh_token)), 400, 'invalid_grant')
    })

    test('an access token is no refresh token', async () => {
      const { access_token } = await signIn()
      expectOAuthError(await connect().token(as('sales_channel', access_token)), 400)
    })
  })

  describe('JWT bearer · yes · no · yes', () => {
    test('sales channel: yes, on behalf of a customer', async () => {
      const { owner_id } = await signIn()
      const { sales_channel } = environment().credentials
      const body = await give(
        await jwtBearerBody(sales_channel, { type: 'Customer', id: owner_id }, marketScope()),
      )
      expect(body).toMatchObject({ owner_id, owner_type: 'customer' })
      const claims = claimsOf(body.access_token) as unknown as Record<string, unknown>
      expect(claims['custom_claim']).toEqual({ name: 'Jörg', list: [1, 2] })
    })

    test('integration: no', async () => {
      await refuse(await jwtBearerBody(environment().credentials.integration))
    })

    test('webapp: yes', async () => {
      const body = await give(await jwtBearerBody(environment().credentials.webapp))
      expect(claimsOf(body.access_token).application).toMatchObject({ kind: 'webapp', confidential: true })
    })

    test('an owner that does not exist is refused', async () => {
      const owner = { type: 'Customer', id: 'aaaaaaaaaa' } as const
      const body = await jwtBearerBody(environment().credentials.sales_channel, owner, marketScope())
      expectOAuthError(await connect().token(body), 400, 'invalid_assertion')
    })

    test.each(['', 'x', 'a.b.c', 'e30.e30.', `e30.${'a'.repeat(5_000)}.x`])(
      'assertion %p is refused',
      async (assertion) => {
        const body = { ...(await jwtBearerBody(environment().credentials.webapp)), assertion }
        const reply = await connect().token(body)
        expectOAuthError(reply, 400)
      },
    )
  })

  describe('Public credentials (sales channel) authenticate with a client ID alone, including requesting and revoking tokens and using refresh tokens.', () => {
    test('requesting: client_credentials and password without a secret', async () => {
      const guest = clientCredentials('sales_channel')
      expect(guest).not.toHaveProperty('client_secret')
      await give(guest)
      expect(passwordBody()).not.toHaveProperty('client_secret')
      await give(passwordBody())
    })

    test('using refresh tokens', async () => {
      const { refresh_token } = await signIn()
      await give({ grant_type: 'refresh_token', client_id: keyOf('sales_channel').client_id, refresh_token })
    })

    test('revoking a customer token: then both interfaces refuse it', async () => {
      const { access_token: token } = await signIn('test', 1)
      expect((await connect().core('skus', { token })).status).toBe(200)
      const { client_id } = environment('test', 1).credentials.sales_channel
      const reply = await connect().auth(
        'POST',
        '/oauth/revoke',
        { 'Content-Type': 'application/json' },
        { client_id, token },
      )
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '{}' })
      // Each replica learns of it by itself: connections go to all of them.
      const ask = () => Promise.all(Array.from({ length: 12 }, () => connect().core('skus', { token })))
      await eventually(async () => (await ask()).every(({ status }) => status !== 200))
      for (const refused of await ask()) expectCoreError(refused, 401, 'INVALID_TOKEN')
    })

    test('revoking a guest token', async () => {
      const { credentials, markets } = environment('test', 1)
      const { client_id } = credentials.sales_channel
      const open = markets.filter((market) => !market.private)
      const scope = open.map(({ id }) => `market:id:${id}`).join(' ')
      const { access_token: token } = await give({ grant_type: 'client_credentials', client_id, scope })
      const reply = await connect().auth(
        'POST',
        '/oauth/revoke',
        { 'Content-Type': 'application/json' },
        { client_id, token },
      )
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '{}' })
      const again = await give({ grant_type: 'client_credentials', client_id, scope })
      expect(again.access_token).not.toBe(token)
    })
  })

  describe('Confidential credentials (integration, webapp) also need a client secret.', () => {
    test.each(['integration', 'integration_read_only', 'integration_custom', 'webapp'] as const)(
      '%s: without, with a wrong one, with an empty one',
      async (name) => {
        const grant =
          name === 'webapp' ? await jwtBearerBody(environment().credentials.webapp) : clientCredentials(name)
        for (const client_secret of [undefined, 'wrong', '']) {
          expectOAuthError(await connect().token({ ...grant, client_secret }), 401, 'invalid_client')
        }
      },
    )

    test('revoking an integration token needs its secret', async () => {
      const { client_id, client_secret } = environment('test', 1).credentials.integration
      const scope = marketScope('test', 1)
      const body = { grant_type: 'client_credentials', client_id, client_secret, scope }
      const { access_token: token } = await give(body)
      const headers = { 'Content-Type': 'application/json' }
      const refused = await connect().auth('POST', '/oauth/revoke', headers, { client_id, token })
      expect([401, 403]).toContain(refused.status)
      expectOAuthError(refused, refused.status)
      expect((await connect().core('skus', { token })).status).toBe(200)
      const revoked = await connect().auth('POST', '/oauth/revoke', headers, {
        client_id,
        client_secret,
        token,
      })
      expect(revoked.text).toBe('{}')
    })

    test('a credential cannot revoke the token of another', async () => {
      const { access_token: token } = (await customerToken()).json<TokenBody>()
      const { client_id, client_secret } = environment('test', 1).credentials.integration
      const headers = { 'Content-Type': 'application/json' }
      await connect().auth('POST', '/oauth/revoke', headers, { client_id, client_secret, token })
      expect((await connect().core('skus', { token })).status).toBe(200)
    })
  })
})
