import { clientCredentials, connect } from '../support/connect.ts'
import { environment } from '../support/demo.ts'
import { jwtBearerBody, marketScope, passwordBody, signIn } from '../support/grants.ts'
import { provedBy } from '../support/proved-by.ts'
import { claimsOf, type TokenBody } from '../support/wire.ts'

const HOURS = 3_600

const give = async (body: object): Promise<TokenBody> => {
  const reply = await connect().token(body)
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<TokenBody>()
}

/** Configured lifetime by the claims, and what is left of it by the body. */
const lifetimeOf = ({ access_token, expires_in, created_at }: TokenBody): number => {
  const { exp, iat } = claimsOf(access_token)
  expect(created_at).toBe(iat)
  expect(exp - iat).toBeGreaterThanOrEqual(expires_in)
  expect(Math.abs(exp - Date.now() / 1_000 - expires_in)).toBeLessThan(5)
  return exp - iat
}

describe('Token lifetime', () => {
  describe('Sales channel · 4 hours', () => {
    test('a guest token', async () => {
      expect(lifetimeOf(await give(clientCredentials('sales_channel')))).toBe(4 * HOURS)
    })

    test('a customer token', async () => {
      expect(lifetimeOf(await give(passwordBody()))).toBe(4 * HOURS)
    })
  })

  test('Integration · 2 hours', async () => {
    expect(lifetimeOf(await give(clientCredentials('integration')))).toBe(2 * HOURS)
  })

  test('Webapp · 2 hours', async () => {
    expect(lifetimeOf(await give(await jwtBearerBody(environment().credentials.webapp)))).toBe(2 * HOURS)
  })

  describe('A custom lifetime can be set per API credential. It is expressed in seconds, with a minimum of 7200 (2 hours) and a maximum of 1296000 (15 days).', () => {
    test(
      'is honoured',
      provedBy('services/auth/test/http/token-client-credentials.test.ts', 'honours a custom lifetime'),
    )

    test(
      'is refused outside',
      provedBy('services/auth/src/clients/lifetimes.test.ts', 'of %d seconds may be set: %s'),
    )
  })

  describe('A new token is issued 900 seconds before the previous token expires. During that window both tokens are valid.', () => {
    test('until then the same request gives the same token, with less time left', async () => {
      const body = clientCredentials('integration_read_only')
      const first = await give(body)
      const second = await give(body)
      expect(second.access_token).toBe(first.access_token)
      expect(second.created_at).toBe(first.created_at)
      expect(second.expires_in).toBeLessThanOrEqual(first.expires_in)
    })

    test('another scope is another token', async () => {
      const first = await give(clientCredentials('integration_custom', { scope: marketScope() }))
      const second = await give(clientCredentials('integration_custom'))
      expect(second.access_token).not.toBe(first.access_token)
    })

    test(
      'in the last 900 seconds a new one is given and both are valid',
      provedBy(
        'services/auth/src/tokens/reusable-tokens.test.ts',
        'gives the same token while more than 900 s are left, and a new one from exactly 900 s on',
      ),
    )
  })

  describe('Refresh tokens have a fixed lifetime of 2 weeks that cannot be changed.', () => {
    test('a request cannot set it', async () => {
      const { refresh_token } = await signIn()
      const body = {
        grant_type: 'refresh_token',
        client_id: environment().credentials.sales_channel.client_id,
        refresh_token,
        expires_in: 1,
        refresh_token_expires_in: 1,
      }
      expect((await give(body)).refresh_token).toEqual(expect.any(String))
    })

    test(
      'ends after two weeks',
      provedBy('services/auth/test/http/token-refresh.test.ts', 'lives two weeks and not a second longer'),
    )
  })
})
