import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, clientCredentials, connect, customerToken, everyRecord } from '../support/connect.ts'
import { environment, first, privateMarket, publicMarket, type CredentialName } from '../support/demo.ts'
import { expectOAuthError } from '../support/expect-errors.ts'
import { marketScope } from '../support/grants.ts'
import { catalogueOf, linkedIds, marketOf, sellableSkus } from '../support/sellable.ts'
import { claimsOf, type ResourceDocument, type ResourceObject, type TokenBody } from '../support/wire.ts'

const idsOf = async (resource: string, token: string): Promise<readonly string[]> =>
  (await everyRecord(resource, { token })).data.map(({ id }) => id).toSorted()

const refused = async (name: CredentialName, scope: string): Promise<string> => {
  const reply = await connect().token(clientCredentials(name, { scope }))
  return expectOAuthError(reply, 400).error_description
}

const given = async (name: CredentialName, scope: string): Promise<TokenBody> => {
  const reply = await connect().token(clientCredentials(name, { scope }))
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<TokenBody>()
}

describe('Scopes', () => {
  describe('The optional scope parameter restricts a token to a market, a store and/or a stock location. Several scope tokens are separated by a space.', () => {
    test('a market and one of its stock locations', async () => {
      const location = first(
        environment().stock_locations,
        'location',
        ({ market_ids }) => market_ids.length > 0,
      )
      const market = first(
        environment().markets,
        'market',
        ({ id, private: hidden }) => !hidden && location.market_ids.includes(id),
      )
      const scope = `market:id:${market.id} stock_location:id:${location.id}`
      const body = await given('sales_channel', scope)
      expect(body.scope).toBe(scope)
      const claims = claimsOf(body.access_token)
      expect(claims.market).toMatchObject({ id: [market.id], stock_location_ids: [location.id] })
      expect(claims.scope).toBe(scope)
    })

    test('two markets: what is sellable in any of them', async () => {
      const catalogue = await catalogueOf()
      const markets = environment()
        .markets.filter((market) => !market.private)
        .slice(0, 2)
      const token = await accessToken('sales_channel', {
        scope: markets.map(({ id }) => `market:id:${id}`).join(' '),
      })
      expect([...(claimsOf(token).market?.id ?? [])].toSorted()).toEqual(
        markets.map(({ id }) => id).toSorted(),
      )
      const union = markets.flatMap(({ id }) => {
        const market = marketOf(catalogue, id)
        return sellableSkus(catalogue, market.priceListId, market.stockLocationIds)
      })
      expect(await idsOf('skus', token)).toEqual([...new Set(union)].toSorted())
    })
  })

  test('by id · <resource_name>:id:<resource_id>', async () => {
    const { id } = publicMarket()
    expect(claimsOf((await given('sales_channel', `market:id:${id}`)).access_token).market?.id).toEqual([id])
  })

  test('by code · <resource_name>:code:<resource_code>', async () => {
    const { id, code } = publicMarket()
    const body = await given('sales_channel', `market:code:${code}`)
    expect(body.scope).toBe(`market:code:${code}`)
    expect(claimsOf(body.access_token).market?.id).toEqual([id])
  })

  describe('resource_name is one of market, store, stock_location.', () => {
    test.each(['id', 'code'] as const)('store by %s', async (by) => {
      const store = first(environment().stores, 'store')
      const { access_token } = await given('sales_channel', `store:${by}:${store[by]}`)
      expect(claimsOf(access_token)).toMatchObject({
        store: { id: store.id },
        market: { id: [store.market_id] },
      })
    })

    test.each(['id', 'code'] as const)('stock_location by %s', async (by) => {
      const market = publicMarket()
      const location = first(environment().stock_locations, 'location', ({ market_ids }) =>
        market_ids.includes(market.id),
      )
      const { access_token } = await given(
        'sales_channel',
        `market:id:${market.id} stock_location:${by}:${location[by]}`,
      )
      expect(claimsOf(access_token).stock_location).toEqual({ id: location.id })
    })

    test.each([
      'markets:id:X',
      'sku:id:X',
      'Market:id:X',
      'market:name:X',
      'market:ID:X',
      'market:id:',
      'market:id',
      'market:X',
      'market:1234',
      'market::X',
      ':id:X',
      'market:id:X:Y',
      '::::',
      'market:id:aaaaaaaaaa',
      'market:code:no-such-code',
      "market:code:' OR 1=1 --",
      'market:code:%',
      `market:code:${'x'.repeat(5_000)}`,
    ])('%p is refused', async (scope) => {
      expect((await refused('sales_channel', scope)).length).toBeGreaterThan(0)
    })

    test('a market of the other environment or another organization is refused', async () => {
      await refused('sales_channel', `market:id:${publicMarket('live').id}`)
      await refused('sales_channel', `market:id:${publicMarket('test', 1).id}`)
    })
  })

  describe('A market in scope filters fetched resources (SKUs, prices, stock items) automatically.', () => {
    test('prices: those of the market’s price list, of SKUs of the market', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const token = await accessToken('sales_channel', { scope: `market:id:${market.id}` })
      const { data } = await everyRecord('prices', { token })
      const expected = [...catalogue.priceListOf].filter(([, list]) => list === market.priceListId)
      expect(data.map(({ id }) => id).toSorted()).toEqual(expected.map(([id]) => id).toSorted())
    })

    test('stock items: those in the market’s stock locations', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const token = await accessToken('integration_custom', { scope: `market:id:${market.id}` })
      const { data } = await everyRecord('stock_items', { token, query: { include: 'stock_location' } })
      expect(data.length).toBeGreaterThan(0)
      const found = new Set(data.flatMap((item) => linkedIds(item, 'stock_location')))
      expect([...found].filter((id) => !market.stockLocationIds.includes(id))).toEqual([])
    })

    test('also as included and related resources', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const token = await accessToken('sales_channel', { scope: `market:id:${market.id}` })
      const query = { include: 'prices', 'page[size]': 25 }
      const page = await connect().collection('skus', { token, query })
      const listsOf = (prices: readonly ResourceObject[]) =>
        new Set(prices.map(({ id }) => catalogue.priceListOf.get(id)))
      expect(listsOf(page.included ?? [])).toEqual(new Set([market.priceListId]))
      const related = await connect().collection(`skus/${page.data[0]?.id}/prices`, { token })
      expect(listsOf(related.data)).toEqual(new Set([market.priceListId]))
    })
  })

  describe('The market in scope must be active. Disabled markets are excluded from scope recalculation.', () => {
    test('a disabled market is refused; enabled again it is accepted; a token already given sees nothing meanwhile', async () => {
      const token = await accessToken('integration', { organization: 1 })
      const market = publicMarket('test', 1)
      const change = async (attributes: object) => {
        const body = { data: { type: 'markets', id: market.id, attributes, relationships: {} } }
        const reply = await connect().core(`markets/${market.id}`, { token, method: 'PATCH', body })
        expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
        return reply.json<ResourceDocument>().data.attributes['disabled_at']
      }
      const ask = () =>
        connect().token(
          clientCredentials('sales_channel', { organization: 1, scope: `market:id:${market.id}` }),
        )
      const before = (await ask()).json<TokenBody>().access_token
      expect((await connect().collection('skus', { token: before })).meta.record_count).toBeGreaterThan(0)
      expect(await change({ _disable: true })).toEqual(expect.stringMatching(/Z$/))
      try {
        // The authentication host may know a market's state of up to a second ago.
        await wait(1_100)
        const error = expectOAuthError(await ask(), 400, 'invalid_scope')
        expect(error.error_description).toContain('disabled')
        expect((await connect().collection('skus', { token: before })).meta.record_count).toBe(0)
      } finally {
        expect(await change({ _enable: true })).toBeNull()
        await wait(1_100)
      }
      expect((await ask()).status).toBe(200)
    })
  })

  describe('Sales channels must put a market in scope when requesting a token.', () => {
    test.each(['', ' ', 'market:all'])('scope %p is refused', async (scope) => {
      const { client_id } = environment().credentials.sales_channel
      const reply = await connect().token({ grant_type: 'client_credentials', client_id, scope })
      expectOAuthError(reply, 400)
    })

    test('no scope is refused', async () => {
      const { client_id } = environment().credentials.sales_channel
      expectOAuthError(await connect().token({ grant_type: 'client_credentials', client_id }), 400)
    })

    test('a stock location alone is refused', async () => {
      const location = first(environment().stock_locations, 'location')
      await refused('sales_channel', `stock_location:id:${location.id}`)
    })
  })

  describe("When the market in scope has a customer group, it is private to the group's customers, and the token must be obtained with the password grant.", () => {
    test('client_credentials is refused', async () => {
      await refused('sales_channel', `market:id:${privateMarket().id}`)
      await refused('sales_channel', `market:code:${privateMarket().code}`)
    })

    test('a customer of the group gets a token that sees the market', async () => {
      const reply = await customerToken({ isPrivate: true })
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
      const { access_token: token } = reply.json<TokenBody>()
      expect(claimsOf(token).market?.id).toEqual([privateMarket().id])
      expect((await connect().collection('skus', { token })).meta.record_count).toBeGreaterThan(0)
    })

    test('a customer outside the group is refused', async () => {
      expectOAuthError(await customerToken({ scope: `market:id:${privateMarket().id}` }), 400)
    })
  })

  describe('For integration credentials, scopes take effect only when the credentials have a custom role. With an admin or read-only role, results are not filtered even if a scope was requested.', () => {
    test.each(['integration', 'integration_read_only'] as const)('%s: not filtered', async (name) => {
      const free = await accessToken(name)
      const scoped = await accessToken(name, { scope: marketScope() })
      expect(claimsOf(scoped).scope).toBe(marketScope())
      for (const resource of ['skus', 'prices', 'stock_items']) {
        const [all, some] = await Promise.all(
          [free, scoped].map((token) => connect().collection(resource, { token })),
        )
        expect(some?.meta.record_count).toBe(all?.meta.record_count)
      }
    })

    test('integration with a custom role: filtered', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const token = await accessToken('integration_custom', { scope: `market:id:${market.id}` })
      expect(await idsOf('skus', token)).toEqual(
        sellableSkus(catalogue, market.priceListId, market.stockLocationIds),
      )
    })

    test('integration with a custom role and no scope: not filtered', async () => {
      const token = await accessToken('integration_custom')
      const { meta } = await connect().collection('skus', { token })
      expect(meta.record_count).toBe((await catalogueOf()).skuIds.length)
    })
  })
})
