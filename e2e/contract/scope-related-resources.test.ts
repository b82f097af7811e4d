import { accessToken, connect, customerToken, everyRecord } from '../support/connect.ts'
import { environment, first, organization, privateMarket, publicMarket } from '../support/demo.ts'
import { catalogueOf, linkedIds, marketOf, sellableSkus } from '../support/sellable.ts'
import type { ResourceDocument, ResourceObject, TokenBody } from '../support/wire.ts'

const included = async (resource: string, include: string, id: string): Promise<ResourceObject> => {
  const token = await accessToken('integration')
  const reply = await connect().core(`${resource}/${id}`, { token, query: { include } })
  return reply.json<ResourceDocument>().data
}

const skusInScope = async (scope: string): Promise<readonly string[]> => {
  const token = await accessToken('sales_channel', { scope })
  const { data } = await everyRecord('skus', { token, query: { 'fields[skus]': 'code' } })
  return data.map(({ id }) => id).toSorted()
}

describe('Scope-related resources (core interface)', () => {
  describe("market · id (string); code (string, optional, can be defined by the client); active or disabled status; price list; stock locations; optional customer group (a market with a customer group is private to that group's customers)", () => {
    test('id, code, status, price list, stock locations and customer group are readable', async () => {
      const token = await accessToken('integration')
      const include = 'price_list,customer_group,inventory_model.inventory_stock_locations.stock_location'
      const { data, included: others } = await everyRecord('markets', { token, query: { include } })
      for (const market of data) {
        expect(typeof market.id).toBe('string')
        expect(market.attributes['code'] === null || typeof market.attributes['code'] === 'string').toBe(true)
        expect(market.attributes).toHaveProperty('disabled_at')
        expect(linkedIds(market, 'price_list')).toHaveLength(1)
        expect(linkedIds(market, 'customer_group').length).toBe(market.attributes['private'] === true ? 1 : 0)
      }
      expect(others.some((record) => record.type === 'stock_locations')).toBe(true)
    })

    test('the code is optional and the client defines it', async () => {
      const token = await accessToken('integration', { organization: 1 })
      const relationships = Object.fromEntries(
        await Promise.all(
          ['merchant', 'price_list', 'inventory_model'].map(async (name) => {
            const [record] = (await connect().collection(`${name}s`, { token })).data
            return [name, { data: { type: `${name}s`, id: record?.id } }] as const
          }),
        ),
      )
      const code = `e2e-${Date.now().toString(36)}`
      const create = (attributes: object) =>
        connect().core('markets', {
          token,
          method: 'POST',
          body: { data: { type: 'markets', attributes, relationships } },
        })
      const without = await create({ name: 'No code' })
      expect({ status: without.status, text: without.text }).toMatchObject({ status: 201 })
      const withCode = await create({ name: 'With a code', code })
      expect(withCode.json<ResourceDocument>().data.attributes['code']).toBe(code)
    })

    test("a market with a customer group is private to that group's customers", async () => {
      const { id } = privateMarket()
      const group = linkedIds(await included('markets', 'customer_group', id), 'customer_group')
      const reply = await customerToken({ isPrivate: true })
      const { owner_id } = reply.json<TokenBody>()
      const customer = await included('customers', 'customer_group', owner_id ?? '')
      expect(linkedIds(customer, 'customer_group')).toEqual(group)
      const otherCaller = await customerToken({ scope: `market:id:${id}` })
      expect(otherCaller.status).toBe(400)
    })
  })

  describe('store · id (string); code (string); associated market; optional stock location', () => {
    test('every store has id, code and market; a stock location is optional', async () => {
      const token = await accessToken('integration')
      const { data } = await everyRecord('stores', { token, query: { include: 'market,stock_location' } })
      const known = environment().stores
      expect(data.length).toBe(known.length)
      for (const store of data) {
        const { code, market_id } = first(
          known,
          `store ${store.id}`,
          (candidate) => candidate.id === store.id,
        )
        expect(store.attributes['code']).toBe(code)
        expect(linkedIds(store, 'market')).toEqual([market_id])
        expect(linkedIds(store, 'stock_location').length).toBeLessThanOrEqual(1)
      }
    })
  })

  describe('stock_location · id (string); code (string); belongs to a market', () => {
    test('every stock location has id and code, and the markets that name it are those of the demo file', async () => {
      const token = await accessToken('integration')
      const { data } = await everyRecord('stock_locations', { token })
      const { markets } = await catalogueOf()
      for (const { id, code, market_ids } of environment().stock_locations) {
        const location = first(data, `stock location ${id}`, (candidate) => candidate.id === id)
        expect(location.attributes['code']).toBe(code)
        const owners = markets
          .filter((market) => market.stockLocationIds.includes(id))
          .map((market) => market.id)
        expect(owners.toSorted()).toEqual([...market_ids].toSorted())
      }
      expect(environment().stock_locations.some(({ market_ids }) => market_ids.length > 0)).toBe(true)
    })
  })

  describe("sku · listed in a collection; sellable in a market when it has a price in the market's price list and at least one stock item in one of the market's stock locations, whatever the quantity", () => {
    test('a market lists exactly the SKUs that the rule gives, worked out from all prices and stock items', async () => {
      const catalogue = await catalogueOf()
      for (const { id } of environment()
        .markets.filter((market) => !market.private)
        .slice(0, 3)) {
        const market = marketOf(catalogue, id)
        const expected = sellableSkus(catalogue, market.priceListId, market.stockLocationIds)
        expect(expected.length).toBeGreaterThan(0)
        expect(await skusInScope(`market:id:${id}`)).toEqual(expected)
      }
    })

    test('some SKU is sellable nowhere or not everywhere, so that the rule shows', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const sellable = sellableSkus(catalogue, market.priceListId, market.stockLocationIds)
      expect(sellable.length).toBeLessThan(catalogue.skuIds.length)
    })

    test('a stock item of quantity 0 is enough', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const sellable = sellableSkus(catalogue, market.priceListId, market.stockLocationIds)
      const token = await accessToken('integration')
      const empty = await everyRecord('stock_items', {
        token,
        query: { 'filter[q][quantity_eq]': 0, include: 'sku,stock_location' },
      })
      const soldOut = sellable.filter((id) => {
        const locations = [...(catalogue.stockLocations.get(id) ?? [])].filter((location) =>
          market.stockLocationIds.includes(location),
        )
        return locations.every((location) =>
          empty.data.some(
            (item) => linkedIds(item, 'sku')[0] === id && linkedIds(item, 'stock_location')[0] === location,
          ),
        )
      })
      if (soldOut[0] === undefined) throw new Error('the demo data has no SKU that is sold out in a market')
      const scoped = await accessToken('sales_channel', { scope: `market:id:${market.id}` })
      expect((await connect().core(`skus/${soldOut[0]}`, { token: scoped })).status).toBe(200)
    })

    test('a SKU that is not sellable in the market is refused by id with 401', async () => {
      const catalogue = await catalogueOf()
      const market = marketOf(catalogue, publicMarket().id)
      const sellable = new Set(sellableSkus(catalogue, market.priceListId, market.stockLocationIds))
      const id = first(catalogue.skuIds, 'unsellable SKU', (candidate) => !sellable.has(candidate))
      const token = await accessToken('sales_channel', { scope: `market:id:${market.id}` })
      expect((await connect().core(`skus/${id}`, { token })).status).toBe(401)
    })
  })

  test('inventory model · has a stock locations cutoff value (integer)', async () => {
    const token = await accessToken('integration')
    const { data } = await connect().collection('inventory_models', { token })
    expect(data.length).toBeGreaterThan(0)
    for (const model of data) expect(Number.isInteger(model.attributes['stock_locations_cutoff'])).toBe(true)
  })

  test('order · associated with the store in scope when a store scope is used', async () => {
    const store = first(environment().stores, 'store')
    const token = await accessToken('sales_channel', { scope: `store:id:${store.id}` })
    const body = { data: { type: 'orders', attributes: {}, relationships: {} } }
    const reply = await connect().core('orders', {
      token,
      method: 'POST',
      body,
      query: { include: 'store,market' },
    })
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 201 })
    const order = reply.json<ResourceDocument>().data
    expect(linkedIds(order, 'store')).toEqual([store.id])
    expect(linkedIds(order, 'market')).toEqual([store.market_id])
    expect(order.meta?.organization_id).toBe(organization().id)
  })
})
