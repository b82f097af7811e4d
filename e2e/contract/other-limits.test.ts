import { accessToken, clientCredentials, connect } from '../support/connect.ts'
import { environment } from '../support/demo.ts'
import { expectCoreError, expectOAuthError } from '../support/expect-errors.ts'
import { provedBy } from '../support/proved-by.ts'
import { claimsOf, type CollectionDocument, type TokenBody } from '../support/wire.ts'

const RESOURCES = ['skus', 'prices', 'stock_items', 'orders', 'customers', 'line_items']

const read = async (resource: string, query: Readonly<Record<string, string | number>>) =>
  connect().core(resource, { token: await accessToken('integration'), query })

describe('Other limits', () => {
  test('Token endpoint · 30 requests per 1 minute, live and test', async () => {
    for (const mode of ['test', 'live'] as const) {
      const api = connect()
      const replies = await Promise.all(
        Array.from({ length: 33 }, () => api.token(clientCredentials('integration', { mode }))),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(30)
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(3)
    }
  })

  describe('Access token lifetime · 7200 to 1296000 seconds', () => {
    test('every credential of the demo data is inside', async () => {
      for (const name of [
        'sales_channel',
        'integration',
        'integration_read_only',
        'integration_custom',
      ] as const) {
        const reply = await connect().token(clientCredentials(name))
        const { exp, iat } = claimsOf(reply.json<TokenBody>().access_token)
        expect(exp - iat).toBeGreaterThanOrEqual(7_200)
        expect(exp - iat).toBeLessThanOrEqual(1_296_000)
      }
    })

    test(
      'outside is refused',
      provedBy('services/auth/src/clients/lifetimes.test.ts', 'of %d seconds may be set: %s'),
    )
  })

  describe('Refresh token lifetime · 2 weeks, fixed', () => {
    test(
      'ends after two weeks',
      provedBy('services/auth/test/http/token-refresh.test.ts', 'lives two weeks and not a second longer'),
    )
  })

  describe('Page size · default 10, maximum 25', () => {
    test.each(RESOURCES)('%s', async (resource) => {
      expect((await read(resource, {})).json<CollectionDocument>().data).toHaveLength(10)
      expect((await read(resource, { 'page[size]': 25 })).json<CollectionDocument>().data).toHaveLength(25)
      const error = expectCoreError(await read(resource, { 'page[size]': 26 }), 400, 'INVALID_PAGE_VALUE')
      expect(error.detail).toContain('25')
    })
  })

  describe('Page number · default 1', () => {
    test.each(RESOURCES)('%s', async (resource) => {
      const [bare, one] = [
        await read(resource, { sort: 'id' }),
        await read(resource, { sort: 'id', 'page[number]': 1 }),
      ]
      expect(bare.json<CollectionDocument>().data).toEqual(one.json<CollectionDocument>().data)
      expect(bare.json<CollectionDocument>().links).not.toHaveProperty('prev')
    })
  })

  test('Stores in scope · 1', async () => {
    const [one, two] = environment().stores
    const ask = (scope: string) => connect().token(clientCredentials('sales_channel', { scope }))
    expect((await ask(`store:id:${one?.id}`)).status).toBe(200)
    expectOAuthError(await ask(`store:id:${one?.id} store:id:${two?.id}`), 400, 'invalid_scope')
  })
})
