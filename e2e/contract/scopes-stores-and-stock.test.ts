import { accessToken, clientCredentials, connect, everyRecord } from '../support/connect.ts'
import { environment, first, publicMarket, type CredentialName, type DemoStore } from '../support/demo.ts'
import { expectOAuthError } from '../support/expect-errors.ts'
import { catalogueOf, linkedIds, marketOf, sellableSkus } from '../support/sellable.ts'
import type { ResourceDocument, TokenBody } from '../support/wire.ts'

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

/** A store whose stock location is not among its market's own. */
const storeWithOwnLocation = async (): Promise<{ readonly store: DemoStore; readonly location: string }> => {
  const token = await accessToken('integration')
  const { data } = await everyRecord('stores', { token, query: { include: 'stock_location,market' } })
  const catalogue = await catalogueOf()
  for (const record of data) {
    const [location] = linkedIds(record, 'stock_location')
    const [market] = linkedIds(record, 'market')
    if (location === undefined || market === undefined) continue
    const store = first(environment().stores, 'store', ({ id }) => id === record.id)
    if (!marketOf(catalogue, market).stockLocationIds.includes(location)) return { store, location }
  }
  throw new Error('the demo data has no store with a stock location outside its market')
}

describe('Scopes', () => {
  describe("A store in scope filters resources by the store's market, and the market need not be given. Orders are associated with the store. Available payment methods are the store's own, or the market's when the store has none.", () => {
    test('SKUs and prices are those of the store’s market (and the store’s own stock location)', async () => {
      const catalogue = await catalogueOf()
      for (const store of environment().stores) {
        const market = marketOf(catalogue, store.market_id)
        if (first(environment().markets, 'market', ({ id }) => id === market.id).private) continue
        const record = (
          await connect().core(`stores/${store.id}`, {
            token: await accessToken('integration'),
            query: { include: 'stock_location' },
          })
        ).json<ResourceDocument>().data
        const locations = [...market.stockLocationIds, ...linkedIds(record, 'stock_location')]
        const token = await accessToken('sales_channel', { scope: `store:id:${store.id}` })
        expect(await idsOf('skus', token)).toEqual(sellableSkus(catalogue, market.priceListId, locations))
      }
    })

    test('the market may be given too, but only that one', async () => {
      const store = first(environment().stores, 'store')
      await given('sales_channel', `market:id:${store.market_id} store:id:${store.id}`)
      const other = first(
        environment().markets,
        'market',
        ({ id, private: hidden }) => !hidden && id !== store.market_id,
      )
      await refused('sales_channel', `market:id:${other.id} store:id:${store.id}`)
    })

    test('a new order belongs to the store and its market', async () => {
      const store = first(environment().stores, 'store')
      const token = await accessToken('sales_channel', { scope: `store:code:${store.code}` })
      const body = { data: { type: 'orders', attributes: {}, relationships: {} } }
      const reply = await connect().core('orders', {
        token,
        method: 'POST',
        body,
        query: { include: 'store,market' },
      })
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 201 })
      const order = reply.json<ResourceDocument>().data
      expect([linkedIds(order, 'store'), linkedIds(order, 'market')]).toEqual([[store.id], [store.market_id]])
    })

    test('payment methods: the store’s own, else the market’s', async () => {
      const token = await accessToken('integration')
      // Integrations see disabled ones too.
      const query = { include: 'market,store' }
      const { data: all } = await everyRecord('payment_methods', { token, query })
      const seen = new Set<boolean>()
      for (const store of environment().stores) {
        const own = all.filter((method) => linkedIds(method, 'store').includes(store.id))
        const ofMarket = all.filter(
          (method) =>
            linkedIds(method, 'store').length === 0 && linkedIds(method, 'market').includes(store.market_id),
        )
        seen.add(own.length > 0)
        const scoped = await accessToken('integration_custom', { scope: `store:id:${store.id}` })
        const expected = (own.length > 0 ? own : ofMarket).map(({ id }) => id).toSorted()
        expect(expected.length).toBeGreaterThan(0)
        expect(await idsOf('payment_methods', scoped)).toEqual(expected)
      }
      expect(seen).toEqual(new Set([true, false]))
    })
  })

  describe("With a store in scope, stock availability uses the market's stock locations plus the store's stock location (if any) as the highest priority, and the inventory model's stock locations cutoff is increased by 1.", () => {
    test('a SKU that only the store has in stock is sellable with the store in scope, not with its market alone', async () => {
      const catalogue = await catalogueOf()
      const { store, location } = await storeWithOwnLocation()
      const market = marketOf(catalogue, store.market_id)
      const ofMarket = new Set(sellableSkus(catalogue, market.priceListId, market.stockLocationIds))
      const only = sellableSkus(catalogue, market.priceListId, [location]).find((id) => !ofMarket.has(id))
      if (only === undefined) throw new Error('the demo data has no SKU that only a store has in stock')
      const inStore = await accessToken('sales_channel', { scope: `store:id:${store.id}` })
      const inMarket = await accessToken('sales_channel', { scope: `market:id:${store.market_id}` })
      expect((await connect().core(`skus/${only}`, { token: inStore })).status).toBe(200)
      expect((await connect().core(`skus/${only}`, { token: inMarket })).status).toBe(401)
    })

    test('inventory levels of a SKU: the store’s location comes first, and one more location counts', async () => {
      const catalogue = await catalogueOf()
      const token = await accessToken('integration')
      const stores = await everyRecord('stores', { token, query: { include: 'stock_location,market' } })
      const seen: string[] = []
      for (const store of stores.data) {
        const [own] = linkedIds(store, 'stock_location')
        const market = marketOf(catalogue, linkedIds(store, 'market')[0] ?? '')
        if (own === undefined || market.strategy === 'no_split') continue
        const inStore = await accessToken('sales_channel', { scope: `store:id:${store.id}` })
        const inMarket = await accessToken('sales_channel', { scope: `market:id:${market.id}` })
        const withStore = [own, ...market.stockLocationIds.filter((id) => id !== own)]
        const sellable = sellableSkus(catalogue, market.priceListId, market.stockLocationIds)
        const [id] = sellable.filter((sku) =>
          withStore.every((location) => catalogue.stockLocations.get(sku)?.has(location) === true),
        )
        if (id === undefined) continue
        seen.push(store.id)
        const levels = async (scoped: string): Promise<readonly number[]> => {
          const reply = await connect().core(`skus/${id}`, { token: scoped })
          const { inventory } = reply.json<ResourceDocument>().data.attributes
          return (inventory as { readonly levels: readonly { readonly quantity: number }[] }).levels.map(
            ({ quantity }) => quantity,
          )
        }
        const expected = (locations: readonly string[], count: number) =>
          locations.slice(0, count).map((location) => catalogue.quantities.get(`${id}/${location}`))
        const cutoff = market.stockLocationsCutoff
        expect(await levels(inMarket)).toEqual(expected(market.stockLocationIds, cutoff))
        expect(await levels(inStore)).toEqual(expected(withStore, cutoff + 1))
      }
      expect(seen.length).toBeGreaterThan(0)
    })
  })

  test('When more than one store is in scope, the response is 400 Bad Request.', async () => {
    const [one, two] = environment().stores
    const error = await refused('sales_channel', `store:id:${one?.id} store:id:${two?.id}`)
    expect(error).toContain('store')
    await refused('integration', `store:code:${one?.code} store:code:${two?.code}`)
    await refused('integration_custom', `store:id:${one?.id} store:code:${two?.code}`)
  })

  describe('A stock location in scope restricts stock to SKUs available in that location. A market scope is mandatory with it. When the market scope is missing, or the stock location does not belong to the market in scope, the response is 400 Bad Request.', () => {
    test('SKUs and stock items are those of that location', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      for (const location of market.stockLocationIds) {
        const scope = `market:id:${market.id} stock_location:id:${location}`
        const token = await accessToken('sales_channel', { scope })
        expect(await idsOf('skus', token)).toEqual(sellableSkus(catalogue, market.priceListId, [location]))
        const custom = await accessToken('integration_custom', { scope })
        const items = await everyRecord('stock_items', {
          token: custom,
          query: { include: 'stock_location' },
        })
        expect(new Set(items.data.flatMap((item) => linkedIds(item, 'stock_location')))).toEqual(
          new Set([location]),
        )
      }
    })

    test('without a market it is a 400, for every kind of credentials', async () => {
      const location = first(environment().stock_locations, 'location')
      await refused('sales_channel', `stock_location:id:${location.id}`)
      await refused('integration', `stock_location:id:${location.id}`)
      await refused('integration_custom', `stock_location:code:${location.code}`)
    })

    test('a location of another market is a 400', async () => {
      const market = publicMarket()
      const location = first(
        environment().stock_locations,
        'foreign location',
        ({ market_ids }) => !market_ids.includes(market.id),
      )
      await refused('sales_channel', `market:id:${market.id} stock_location:id:${location.id}`)
      await refused('integration', `market:id:${market.id} stock_location:code:${location.code}`)
    })
  })
})
