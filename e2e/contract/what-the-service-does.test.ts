import { accessToken, clientCredentials, connect } from '../support/connect.ts'
import { demo, environment, type Mode } from '../support/demo.ts'
import { claimsOf, type ResourceObject, type TokenBody } from '../support/wire.ts'

const RESOURCES = [
  'skus',
  'prices',
  'stock_items',
  'markets',
  'stores',
  'stock_locations',
  'orders',
  'price_lists',
  'inventory_models',
  'customer_groups',
  'payment_methods',
]

const ORDERS_COUNT = { field: 'order.id', operator: 'value_count' }

const QUERIES = {
  breakdown: { breakdown: { by: 'order.country_code', ...ORDERS_COUNT } },
  date_breakdown: {
    date_breakdown: { by: 'order.placed_at', field: 'order.total_amount_with_taxes', operator: 'sum' },
  },
  stats: { stats: ORDERS_COUNT },
  search: { search: { fields: ['order.id'], limit: 1 } },
}

/** The same SKUs, by code, as one environment shows them. */
const skusOf = async (mode: Mode): Promise<readonly ResourceObject[]> => {
  const token = await accessToken('integration', { mode })
  const page = await connect().collection('skus', { token, query: { 'page[size]': 25, sort: 'code' } })
  return page.data
}

describe('What the service does', () => {
  test('This single document covers the whole service. It has a core interface (base path /api, paginated resource collections), a metrics interface (base path /metrics, analytical queries over orders) and an the service 2.0 token endpoint on a separate host. Addresses are written {base_url} (the service host for /api and /metrics) and {auth_url} (the authentication host).', async () => {
    const { base_url, auth_url } = demo()
    expect(new URL(base_url).host).not.toBe(new URL(auth_url).host)
    const api = connect()
    const token = await accessToken('integration')
    expect((await api.core('skus', { token })).status).toBe(200)
    expect((await api.metrics('orders/stats', QUERIES.stats, { token })).status).toBe(200)
    expect((await api.raw('POST', `${base_url}/oauth/token`)).status).toBe(404)
    expect((await api.raw('GET', `${auth_url}/api/skus`)).status).toBe(404)
  })

  test('The service is a commerce back end. It exposes HTTP interfaces that exchange JSON.', async () => {
    const api = connect()
    const token = await accessToken('integration')
    const replies = [
      await api.token(clientCredentials('integration')),
      await api.core('skus', { token }),
      await api.metrics('orders/stats', QUERIES.stats, { token }),
    ]
    for (const reply of replies) {
      expect(reply.headers['content-type']).toMatch(/^application\/(vnd\.api\+)?json/)
      expect(reply.json()).toEqual(expect.any(Object))
    }
  })

  describe('The core interface serves collections of commerce resources. The resources named are SKUs, prices, stock items, markets, stores, stock locations, orders, price lists, inventory models, customer groups and payment methods.', () => {
    test.each(RESOURCES)('GET /api/%s answers a collection with records of that type', async (resource) => {
      const token = await accessToken('integration')
      const page = await connect().collection(resource, { token })
      expect(page.data.length).toBeGreaterThan(0)
      expect(new Set(page.data.map((record) => record.type))).toEqual(new Set([resource]))
      expect(page.meta.record_count).toBeGreaterThanOrEqual(page.data.length)
    })

    test.each(RESOURCES)('GET /api/%s/<id> answers the record of the list', async (resource) => {
      const token = await accessToken('integration')
      const { data } = await connect().collection(resource, { token, query: { 'page[size]': 1 } })
      const reply = await connect().core(`${resource}/${data[0]?.id}`, { token })
      expect(reply.json<{ data: ResourceObject }>().data).toMatchObject({ id: data[0]?.id, type: resource })
    })
  })

  describe('The metrics interface runs analytical queries over orders. Every query is a POST.', () => {
    test.each(Object.entries(QUERIES))('%s', async (name, body) => {
      const api = connect()
      const token = await accessToken('integration')
      const posted = await api.metrics(`orders/${name}`, body, { token })
      expect({ status: posted.status, text: posted.text }).toMatchObject({ status: 200 })
      expect((await api.metrics(`orders/${name}`, undefined, { token, method: 'GET' })).status).toBe(405)
    })
  })

  describe('Every request must carry an access token. Tokens are issued by the token endpoint through the service 2.0 grants.', () => {
    test.each(RESOURCES)('GET /api/%s without a token is a 401', async (resource) => {
      expect((await connect().core(resource)).status).toBe(401)
    })

    test.each(Object.entries(QUERIES))('a metrics %s without a token is a 401', async (name, body) => {
      expect((await connect().metrics(`orders/${name}`, body)).status).toBe(401)
    })

    test('a token of the token endpoint opens both interfaces', async () => {
      const api = connect()
      const token = (await api.token(clientCredentials('integration'))).json<TokenBody>().access_token
      expect((await api.core('skus', { token })).status).toBe(200)
      expect((await api.metrics('orders/stats', QUERIES.stats, { token })).status).toBe(200)
    })
  })

  describe('There are two separate environments, test and live. The same logical resource has different IDs in each.', () => {
    test('the credential decides the environment, and the token says which', async () => {
      expect(claimsOf(await accessToken('integration', { mode: 'test' })).test).toBe(true)
      expect(claimsOf(await accessToken('integration', { mode: 'live' })).test).toBe(false)
    })

    test('no credential, market, store or stock location is in both', () => {
      const idsOf = (mode: Mode) => {
        const { credentials, markets, stores, stock_locations } = environment(mode)
        const clients = Object.values(credentials).map((credential) => credential.client_id)
        return [...clients, ...[...markets, ...stores, ...stock_locations].map((record) => record.id)]
      }
      const live = new Set(idsOf('live'))
      expect(idsOf('test').filter((id) => live.has(id))).toEqual([])
    })

    test('the SKU of one code exists in both, under two ids, and neither is found from the other side', async () => {
      const [inTest, inLive] = [await skusOf('test'), await skusOf('live')]
      const twins = inTest.flatMap((sku) => {
        const twin = inLive.find((other) => other.attributes['code'] === sku.attributes['code'])
        return twin === undefined ? [] : [{ test: sku.id, live: twin.id }]
      })
      const [twin] = twins
      if (twin === undefined) throw new Error('no SKU code is in both environments')
      expect(twins.filter((pair) => pair.test === pair.live)).toEqual([])
      const token = await accessToken('integration', { mode: 'test' })
      expect((await connect().core(`skus/${twin.live}`, { token })).status).toBe(404)
      const liveToken = await accessToken('integration', { mode: 'live' })
      expect((await connect().core(`skus/${twin.test}`, { token: liveToken })).status).toBe(404)
    })
  })

  describe('Three kinds of API credentials exist: sales channel (public, non-confidential), integration (confidential) and webapp (confidential).', () => {
    test('sales channel: public, non-confidential', async () => {
      const { application } = claimsOf(await accessToken('sales_channel'))
      expect(application).toMatchObject({ kind: 'sales_channel', public: true, confidential: false })
    })

    test('integration: confidential', async () => {
      const { application } = claimsOf(await accessToken('integration'))
      expect(application).toMatchObject({ kind: 'integration', public: false, confidential: true })
    })

    test('webapp: confidential, so its client id alone is refused', async () => {
      const { client_id } = environment().credentials.webapp
      const reply = await connect().token({
        grant_type: 'authorization_code',
        client_id,
        code: 'any',
        redirect_uri: environment().credentials.webapp.redirect_uri,
      })
      expect(reply.status).toBe(401)
    })
  })
})
