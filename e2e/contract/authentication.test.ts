import { accessToken, clientCredentials, connect, customerToken } from '../support/connect.ts'
import { environment } from '../support/demo.ts'
import { expectCoreError, expectMetricsError } from '../support/expect-errors.ts'
import { claimsOf, type TokenBody } from '../support/wire.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' } }

/** Changes one character in the middle of one part of a token. */
const tampered = (token: string, part: 0 | 1 | 2): string => {
  const parts = token.split('.')
  const text = parts[part] ?? ''
  const at = Math.floor(text.length / 2)
  parts[part] = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  return parts.join('.')
}

const withPart = (token: string, part: 0 | 1, change: (value: Record<string, unknown>) => object): string => {
  const parts = token.split('.')
  const value = JSON.parse(Buffer.from(parts[part] ?? '', 'base64url').toString()) as Record<string, unknown>
  parts[part] = Buffer.from(JSON.stringify(change(value))).toString('base64url')
  return parts.join('.')
}

describe('Authentication', () => {
  describe('Every request must carry the header Authorization: Bearer <ACCESS_TOKEN>.', () => {
    test('without it: core 401 INVALID_TOKEN, metrics 401 UNAUTHORIZED', async () => {
      const api = connect()
      expectCoreError(await api.core('skus'), 401, 'INVALID_TOKEN')
      expectCoreError(await api.core('orders', { method: 'POST', body: {} }), 401, 'INVALID_TOKEN')
      expectMetricsError(await api.metrics('orders/stats', STATS), 401, 'UNAUTHORIZED')
    })

    const forgeries: Readonly<Record<string, (token: string) => string>> = {
      'a changed header': (token) => tampered(token, 0),
      'a changed payload': (token) => tampered(token, 1),
      'a changed signature': (token) => tampered(token, 2),
      'no signature': (token) => `${token.split('.').slice(0, 2).join('.')}.`,
      'alg none': (token) => withPart(token, 0, (header) => ({ ...header, alg: 'none' })),
      'alg HS512': (token) => withPart(token, 0, (header) => ({ ...header, alg: 'HS512' })),
      'an unknown kid': (token) => withPart(token, 0, (header) => ({ ...header, kid: '0'.repeat(64) })),
      'another environment in its payload': (token) =>
        withPart(token, 1, (claims) => ({ ...claims, test: false })),
      'a later end in its payload': (token) =>
        withPart(token, 1, (claims) => ({ ...claims, exp: 4_000_000_000 })),
      'eight kilobytes of noise': () => `a.${'b'.repeat(8_000)}.c`,
    }

    test.each(Object.keys(forgeries))('a token with %s is a 401 on both interfaces', async (name) => {
      const token = forgeries[name]?.(await accessToken('integration')) ?? ''
      expectCoreError(await connect().core('skus', { token }), 401, 'INVALID_TOKEN')
      expectMetricsError(await connect().metrics('orders/stats', STATS, { token }), 401, 'UNAUTHORIZED')
    })
  })

  describe('Access tokens come from POST {auth_url}/oauth/token. The body depends on the kind of credentials.', () => {
    test('sales channel: client_id and a market', async () => {
      expect((await connect().token(clientCredentials('sales_channel'))).status).toBe(200)
    })

    test('integration: client_id and client_secret', async () => {
      expect((await connect().token(clientCredentials('integration'))).status).toBe(200)
    })

    test('sales channel with a customer: username and password', async () => {
      const reply = await customerToken()
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
      const body = reply.json<TokenBody>()
      expect(body).toMatchObject({ owner_type: 'customer', token_type: 'bearer' })
      expect(claimsOf(body.access_token).owner).toEqual({ id: body.owner_id, type: 'Customer' })
    })

    test('webapp: client_id and client_secret are checked before the code', async () => {
      const { client_id, client_secret, redirect_uri } = environment().credentials.webapp
      const body = { grant_type: 'authorization_code', client_id, redirect_uri, code: 'no such code' }
      expect((await connect().token(body)).status).toBe(401)
      expect((await connect().token({ ...body, client_secret })).status).toBe(400)
    })
  })
})
