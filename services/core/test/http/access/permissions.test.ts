/** spec auth.md 9: who may do what. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { createTokenMint } from '@merx/testing/mint-token'
import {
  customer,
  errorsOf,
  listOf,
  openCore,
  pluck,
  salesChannel,
  singleOf,
} from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore
let guest: string
let ada: string

beforeAll(async () => {
  core = await openCore('permissions')
  guest = await core.tokens.mint(salesChannel([1]))
  ada = await core.tokens.mint(customer(1, [1]))
})
afterAll(() => core.close())

describe('tokens', () => {
  it.each([
    ['no token', {}, /^Bearer realm="merx"$/],
    ['no bearer token', { Authorization: 'Basic abc' }, /^Bearer realm="merx"$/],
    ['a token that is none', { Authorization: 'Bearer abc' }, /^Bearer realm="merx", error="invalid_token"/],
  ])('%s is 401 INVALID_TOKEN', async (_name, headers, challenge) => {
    const response = await core.client.get('/api/skus', { headers })
    expect(response.status).toBe(401)
    expect(errorsOf(response)[0]).toMatchObject({
      code: 'INVALID_TOKEN',
      title: 'Invalid token',
      status: '401',
    })
    expect(response.headers['www-authenticate']).toMatch(challenge)
  })

  it('of another issuer are 401, expired ones too', async () => {
    const otherCaller = await createTokenMint({ clock: core.clock })
    const past = Math.floor(core.clock.now().getTime() / 1000) - 60
    for (const token of [await otherCaller.mint(), await core.tokens.mint({ exp: past })]) {
      expect(errorsOf(await core.get('/api/skus', token))[0]?.code).toBe('INVALID_TOKEN')
    }
  })
})

describe('a sales channel', () => {
  it.each([
    'orders',
    'customers',
    'markets',
    'stores',
    'price_lists',
    'addresses',
    'line_items',
    'customer_groups',
    'merchants',
  ])('may not list %s', async (path) => {
    const response = await core.get(`/api/${path}`, guest)
    expect(response.status).toBe(401)
    expect(errorsOf(response)[0]).toEqual({
      title: 'Access denied',
      detail: 'You are not authorized to perform this action on the requested resource.',
      code: 'UNAUTHORIZED',
      status: '401',
    })
    expect(response.headers['www-authenticate']).toBe('Bearer realm="merx", error="insufficient_scope"')
  })

  it.each(['skus', 'prices', 'stock_items', 'payment_methods'])('may list %s', async (path) => {
    expect((await core.get(`/api/${path}`, guest)).status).toBe(200)
  })

  it.each([
    ['POST', '/api/skus'],
    ['PATCH', `/api/skus/${encodeId('skus', 1)}`],
    ['DELETE', `/api/skus/${encodeId('skus', 1)}`],
    ['POST', '/api/markets'],
    ['DELETE', `/api/prices/${encodeId('prices', 1)}`],
  ])('may not %s %s', async (method, path) => {
    const body = method === 'DELETE' ? undefined : { data: { type: 'skus', attributes: {} } }
    expect((await core.send(method, path, guest, body)).status).toBe(401)
  })

  it.each([
    [1, 200],
    [2, 401],
    [3, 401],
    [4, 401],
    [5, 401],
  ])(
    'as a guest reads order %d: %d (guest orders of its market that are draft, pending, placing or placed)',
    async (number, status) => {
      expect((await core.get(`/api/orders/${encodeId('orders', number)}`, guest)).status).toBe(status)
    },
  )

  it('reads other orders of its market when the organization allows it', async () => {
    const settings = '{"orders_sales_channel_guest_only": false}'
    await core.pool.query('UPDATE environments SET settings = $1 WHERE id = 1', [settings])
    expect((await core.get(`/api/orders/${encodeId('orders', 2)}`, guest)).status).toBe(200)
    expect((await core.get(`/api/orders/${encodeId('orders', 3)}`, guest)).status).toBe(401)
    await core.pool.query("UPDATE environments SET settings = '{}' WHERE id = 1")
  })

  it('reads line items through the order they belong to', async () => {
    expect((await core.get(`/api/line_items/${encodeId('line_items', 1)}`, guest)).status).toBe(200)
    expect((await core.get(`/api/line_items/${encodeId('line_items', 3)}`, guest)).status).toBe(401)
    const items = listOf(await core.get(`/api/orders/${encodeId('orders', 1)}/line_items`, guest))
    expect(pluck(items, 'name')).toEqual(['Black shirt', 'Wire'])
  })

  it('reads addresses of the orders it sees and new ones, not those of the shop or of other orders', async () => {
    await core.pool.query(`INSERT INTO addresses (id, environment_id, line_1, city, country_code, phone)
      SELECT n, 1, 'x', 'x', 'IT', '1' FROM generate_series(50, 53) AS n`)
    await core.pool.query('UPDATE orders SET shipping_address_id = 50 WHERE id = 1')
    await core.pool.query('UPDATE orders SET billing_address_id = 51 WHERE id = 2')
    await core.pool.query('UPDATE orders SET shipping_address_id = 52 WHERE id = 5')
    const status = async (number: number, token: string) =>
      (await core.get(`/api/addresses/${encodeId('addresses', number)}`, token)).status
    expect(await Promise.all([1, 50, 51, 52, 53].map((number) => status(number, guest)))).toEqual([
      401, 200, 401, 401, 200,
    ])
    expect(await Promise.all([1, 50, 51, 52, 53].map((number) => status(number, ada)))).toEqual([
      401, 401, 200, 401, 200,
    ])
    const id = encodeId('addresses', 51)
    const body = { data: { type: 'addresses', id, attributes: { city: 'stolen' } } }
    expect((await core.send('PATCH', `/api/addresses/${id}`, guest, body)).status).toBe(401)
  })

  it('may not include or filter by what it may not read', async () => {
    const include = await core.get('/api/payment_methods?include=payment_gateway', guest)
    expect(include.status).toBe(401)
    expect(errorsOf(include)[0]).toMatchObject({ code: 'UNAUTHORIZED', source: { parameter: 'include' } })
    expect((await core.get('/api/payment_methods?include=market.merchant', guest)).status).toBe(401)
    const filter = await core.get('/api/payment_methods?filter[q][payment_gateway_name_eq]=Manual', guest)
    expect(filter.status).toBe(401)
  })

  it('may filter by the id of what it may not read', async () => {
    const id = encodeId('payment_gateways', 1)
    const response = await core.get(`/api/payment_methods?filter[q][payment_gateway_id_eq]=${id}`, guest)
    expect(response.status).toBe(200)
  })

  it('includes the market and store of an order and the category of a SKU, without secrets', async () => {
    const order = await core.get(`/api/orders/${encodeId('orders', 1)}?include=market,store`, guest)
    expect(
      singleOf(order).included?.map(({ attributes }) => [attributes['code'], attributes['shared_secret']]),
    ).toEqual([['eu', undefined]])
    expect((await core.get('/api/skus?include=shipping_category,prices.price_list', guest)).status).toBe(200)
    for (const path of ['markets', 'stores']) {
      expect((await core.get(`/api/${path}/${encodeId(path, 1)}`, guest)).status).toBe(401)
    }
  })

  it('sees no customer as a guest', async () => {
    expect((await core.get(`/api/customers/${encodeId('customers', 1)}`, guest)).status).toBe(401)
  })

  it('is not shown secrets', async () => {
    const { data } = singleOf(await core.get('/api/organization', guest))
    expect(data.type).toBe('organizations')
    expect(data).not.toHaveProperty('attributes.shared_secret')
  })
})

describe("a customer's token", () => {
  it('lists the orders of the customer, in any status, in the markets in scope', async () => {
    expect(pluck(listOf(await core.get('/api/orders', ada)), 'number')).toEqual(['2', '3'])
  })

  it('sees the customer only', async () => {
    const me = encodeId('customers', 1)
    expect(singleOf(await core.get(`/api/customers/${me}`, ada)).data.attributes['email']).toBe(
      'ada@example.com',
    )
    expect((await core.get(`/api/customers/${encodeId('customers', 2)}`, ada)).status).toBe(401)
    expect(pluck(listOf(await core.get(`/api/customers/${me}/orders`, ada)), 'number')).toEqual(['2', '3'])
  })

  it('sees no order of another customer', async () => {
    expect((await core.get(`/api/orders/${encodeId('orders', 4)}`, ada)).status).toBe(401)
    expect((await core.get(`/api/orders/${encodeId('orders', 1)}`, ada)).status).toBe(401)
  })
})

describe('roles', () => {
  it('read_only reads everything and writes nothing', async () => {
    expect((await core.get('/api/markets', core.tokens.readOnly)).status).toBe(200)
    const body = { data: { type: 'merchants', attributes: { name: 'x' } } }
    expect((await core.send('POST', '/api/merchants', core.tokens.readOnly, body)).status).toBe(401)
    const path = `/api/skus/${encodeId('skus', 1)}`
    expect((await core.send('DELETE', path, core.tokens.readOnly)).status).toBe(401)
  })

  it('admin is shown secrets', async () => {
    const { data } = singleOf(await core.get(`/api/markets/${encodeId('markets', 1)}`, core.tokens.admin))
    expect(data.attributes['shared_secret']).toMatch(/^[0-9a-f]{32,}$/)
  })

  it('custom without permissions may do nothing', async () => {
    const token = await core.tokens.mint({ role: { id: 'rCusTomRol', kind: 'custom' } })
    expect((await core.get('/api/skus', token)).status).toBe(401)
  })

  it('custom may do what its permissions say, also through relationships', async () => {
    core.roles.set('rReadsSkus', { kind: 'custom', permissions: [{ subject: 'skus', actions: ['read'] }] })
    const token = await core.tokens.mint({ role: { id: 'rReadsSkus', kind: 'custom' } })
    const id = encodeId('skus', 1)
    expect((await core.get('/api/skus', token)).status).toBe(200)
    expect((await core.get('/api/prices', token)).status).toBe(401)
    expect((await core.get(`/api/skus/${id}/prices`, token)).status).toBe(401)
    expect((await core.get(`/api/skus/${id}/relationships/prices`, token)).status).toBe(401)
    expect((await core.get(`/api/skus/${id}/shipping_category`, token)).status).toBe(401)
    expect((await core.get('/api/skus?include=prices', token)).status).toBe(401)
    expect((await core.get('/api/skus?filter[q][prices_amount_cents_gt]=1', token)).status).toBe(401)
    expect((await core.send('DELETE', `/api/skus/${id}`, token)).status).toBe(401)
    core.roles.set('rReadsSkus', { kind: 'custom', permissions: [] })
    expect((await core.get('/api/skus', token)).status).toBe(401)
  })

  it('refuses a token that was revoked', async () => {
    const jti = '6f1c2b9e-1f43-4f6e-9d57-6d5d3f7b2c11'
    const token = await core.tokens.mint({ jti })
    expect((await core.get('/api/skus', token)).status).toBe(200)
    core.revoked.add(jti)
    expect(errorsOf(await core.get('/api/skus', token))[0]?.code).toBe('INVALID_TOKEN')
  })
})
