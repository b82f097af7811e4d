import { clientCredentials, connect } from '../support/connect.ts'
import { environment, publicMarket, type Mode } from '../support/demo.ts'
import { expectOAuthError } from '../support/expect-errors.ts'
import { isAddressInHeader } from '../support/source-address.ts'
import type { TokenBody } from '../support/wire.ts'

const without = (name: string) => {
  const { [name]: _left, ...rest } = clientCredentials('integration') as Record<string, unknown>
  return rest
}

describe('Token endpoint', () => {
  describe('Request body is a JSON object: grant_type (string, required), client_id (string, required), client_secret (string, required only for confidential credentials, that is integrations and webapps), scope (string, optional; see Authentication).', () => {
    test('a JSON object with all four gives a token', async () => {
      const scope = `market:id:${publicMarket().id}`
      const reply = await connect().token(clientCredentials('integration_custom', { scope }))
      expect(reply.status).toBe(200)
      expect(reply.json<TokenBody>().scope).toBe(scope)
    })

    test('a form body gives the same', async () => {
      const body = new URLSearchParams(clientCredentials('integration')).toString()
      const reply = await connect().token(body, { 'Content-Type': 'application/x-www-form-urlencoded' })
      expect(reply.status).toBe(200)
    })

    test('the answer is never stored by a cache', async () => {
      const reply = await connect().token(clientCredentials('integration'))
      expect(reply.headers['cache-control']).toContain('no-store')
    })

    test('grant_type is required', async () => {
      expectOAuthError(await connect().token(without('grant_type')), 400, 'invalid_request')
    })

    test('an unknown grant_type is named', async () => {
      const reply = await connect().token({ ...clientCredentials('integration'), grant_type: 'implicit' })
      expectOAuthError(reply, 400, 'unsupported_grant_type')
    })

    test('client_id is required', async () => {
      const reply = await connect().token(without('client_id'))
      expect([400, 401]).toContain(reply.status)
      expectOAuthError(reply, reply.status)
    })

    test('an unknown client_id is refused', async () => {
      const reply = await connect().token({ ...clientCredentials('integration'), client_id: 'nobody' })
      expectOAuthError(reply, 401, 'invalid_client')
    })

    test.each(['integration', 'integration_read_only', 'integration_custom'] as const)(
      'client_secret is required for %s',
      async (name) => {
        const { client_id } = environment().credentials[name]
        const body = { grant_type: 'client_credentials', client_id }
        expectOAuthError(await connect().token(body), 401, 'invalid_client')
        expectOAuthError(await connect().token({ ...body, client_secret: 'wrong' }), 401, 'invalid_client')
        expectOAuthError(await connect().token({ ...body, client_secret: '' }), 401, 'invalid_client')
      },
    )

    test('client_secret is required for webapps', async () => {
      const { client_id, redirect_uri } = environment().credentials.webapp
      const body = { grant_type: 'authorization_code', client_id, redirect_uri, code: 'x' }
      expectOAuthError(await connect().token(body), 401, 'invalid_client')
    })

    test('client_secret is not needed for sales channels', async () => {
      const body = clientCredentials('sales_channel')
      expect(body).not.toHaveProperty('client_secret')
      expect((await connect().token(body)).status).toBe(200)
    })

    test('the secret of another credential does not open this one', async () => {
      const { client_secret } = environment('live').credentials.integration
      expectOAuthError(
        await connect().token({ ...clientCredentials('integration'), client_secret }),
        401,
        'invalid_client',
      )
    })

    test('scope is optional: an integration without one reads all markets', async () => {
      const reply = await connect().token(clientCredentials('integration'))
      expect(reply.json<TokenBody>().scope).toBe('market:all')
    })

    test.each([
      ['grant_type', 1],
      ['grant_type', ['client_credentials']],
      ['client_id', 1],
      ['client_id', {}],
      ['client_id', null],
      ['client_secret', 1],
      ['client_secret', []],
      ['scope', 1],
      ['scope', ['market:all']],
      ['scope', { a: 1 }],
    ])('a %s that is no string is refused: %j', async (name, value) => {
      const reply = await connect().token({ ...clientCredentials('integration'), [name]: value })
      expect([400, 401]).toContain(reply.status)
      expectOAuthError(reply, reply.status)
    })

    test.each([['[]'], ['"x"'], ['1'], ['null'], ['{'], ['']])(
      'a body that is no object is refused: %s',
      async (body) => {
        expectOAuthError(await connect().token(body), 400)
      },
    )
  })

  describe('The rate limit is 30 requests per 1 minute, in both live and test.', () => {
    test.each(['test', 'live'] as const)('%s: 30 requests pass, the 31st does not', async (mode: Mode) => {
      const api = connect()
      const body = clientCredentials('integration', { mode })
      const statuses: number[] = []
      for (let sent = 0; sent < 30; sent += 1) statuses.push((await api.token(body)).status)
      expect(new Set(statuses)).toEqual(new Set([200]))
      const refused = await api.token(body)
      expectOAuthError(refused, 429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    })

    test('refused requests count too: bad clients cannot guess secrets quickly', async () => {
      const api = connect()
      const body = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'guess' }
      const statuses: number[] = []
      for (let sent = 0; sent < 31; sent += 1) statuses.push((await api.token(body)).status)
      expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401))
      expect(statuses[30]).toBe(429)
    })

    test('thirty-one at once: exactly thirty pass', async () => {
      const api = connect()
      const body = clientCredentials('integration')
      const replies = await Promise.all(Array.from({ length: 31 }, () => api.token(body)))
      const statuses = replies.map(({ status }) => status).toSorted()
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
    })

    test('another address is not touched', async () => {
      const busy = connect()
      const body = clientCredentials('integration')
      for (let sent = 0; sent < 31; sent += 1) await busy.token(body)
      expect((await busy.token(body)).status).toBe(429)
      expect((await connect().token(body)).status).toBe(200)
    })

    test('a header that claims another address does not help', async () => {
      const api = connect()
      const body = clientCredentials('integration')
      for (let sent = 0; sent < 30; sent += 1) await api.token(body)
      const forged = {
        // A proxy that is believed adds the address it saw to what the client claims.
        'X-Forwarded-For': isAddressInHeader() ? `203.0.113.9, ${api.address}` : '203.0.113.9',
        'X-True-Client-Ip': '203.0.113.9',
        Forwarded: 'for=203.0.113.9',
      }
      expect((await api.token(body, forged)).status).toBe(429)
    })
  })
})
