/** The interface that auth and metrics call: answers, refusals, and what it does not tell. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { hashPassword, passwordWork } from '@merx/passwords/passwords'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { openCoreDatabase } from '../../db/support/core-database.ts'
import type { CoreDatabase } from '../../db/support/core-database.ts'
import { createSmallShop, insert } from '../../db/support/small-shop.ts'
import type { SmallShop } from '../../db/support/small-shop.ts'
import { openInternalCalls, refusalOf } from '../support/internal-calls.ts'
import type { InternalCalls } from '../support/internal-calls.ts'

const OTHER = 'oTheROrgaN'

let core: CoreDatabase
let internal: InternalCalls
let shop: SmallShop
let foreign: SmallShop
let storeId = 0
let ownLocationId = 0
let groupId = 0
let privateMarketId = 0

beforeAll(async () => {
  core = await openCoreDatabase('internal')
  const { database } = core
  shop = await createSmallShop(database)
  foreign = await createSmallShop(database, { organizationId: OTHER })
  const environment_id = shop.environmentId
  ownLocationId = await insert(database, 'stock_locations', {
    environment_id,
    name: 'Shop',
    address_id: shop.addressId,
  })
  storeId = await insert(database, 'stores', {
    environment_id,
    name: 'Duomo',
    code: 'DUOMO',
    market_id: shop.marketId,
    stock_location_id: ownLocationId,
  })
  groupId = await insert(database, 'customer_groups', { environment_id, name: 'Club' })
  const [italy] = await database.query<{ merchant_id: number }>(
    'SELECT merchant_id FROM markets WHERE id = $1',
    [shop.marketId],
  )
  privateMarketId = await insert(database, 'markets', {
    environment_id,
    name: 'Club',
    code: 'CLUB',
    merchant_id: italy?.merchant_id,
    price_list_id: shop.priceListId,
    inventory_model_id: shop.inventoryModelId,
    customer_group_id: groupId,
    external_prices_url: 'https://prices.example.com/',
    disabled_at: new Date(0),
  })
  await database.query('UPDATE customers SET password_hash = $1, customer_group_id = $2 WHERE id = $3', [
    await hashPassword('correct horse'),
    groupId,
    shop.customerId,
  ])
  internal = await openInternalCalls(database)
})
afterAll(async () => {
  await internal.close()
  await core.drop()
})

const call: InternalCalls['call'] = (...request) => internal.call(...request)

const environment = () => ({ organization_id: shop.organizationId, mode: 'test' })

describe('every path', () => {
  it.each([
    ['POST', '/internal/scopes/resolve'],
    ['POST', '/internal/customers/authenticate'],
    ['GET', '/internal/customers/x'],
    ['PUT', '/internal/environments'],
    ['GET', '/internal/record-types'],
    ['GET', '/internal/order-feed'],
    ['GET', '/internal/nothing'],
  ])('%s %s refuses a call without the service key', async (method, path) => {
    const refused = [
      await internal.client.request(method, path),
      await internal.client.request(method, path, { token: 'wrong' }),
    ]
    for (const response of refused)
      expect(refusalOf(response)).toMatchObject({ status: 401, code: 'SERVICE_KEY_NOT_VALID' })
  })

  it.each([
    ['GET', '/internal/scopes/resolve', 'POST'],
    ['DELETE', '/internal/customers/authenticate', 'POST'],
    ['POST', '/internal/customers/x', 'GET, HEAD'],
    ['POST', '/internal/environments', 'PUT'],
    ['POST', '/internal/order-feed', 'GET, HEAD'],
  ])('%s %s is no method of it', async (method, path, allowed) => {
    const response = await call(method, path)
    expect(response.status).toBe(405)
    expect(response.headers['allow']).toBe(allowed)
  })

  it.each([
    ['POST', '/internal/scopes/resolve'],
    ['POST', '/internal/customers/authenticate'],
    ['PUT', '/internal/environments'],
  ])('%s %s names everything wrong with a body', async (method, path) => {
    const response = await call(method, path, { organization_id: '1', mode: 'production', surprise: true })
    expect(refusalOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
    expect(refusalOf(response).sources).toEqual(
      expect.arrayContaining(['/organization_id', '/mode', '/surprise']),
    )
    expect((await call(method, path, '{"broken"')).status).toBe(400)
    expect((await call(method, path, { mode: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await call(method, path)).status).toBe(400)
  })

  it('unknown paths are not found', async () => {
    expect((await call('GET', '/internal/nothing')).status).toBe(404)
  })
})

describe('POST /internal/scopes/resolve', () => {
  const resolve = (references: readonly unknown[], more: object = {}): Promise<InProcessResponse> =>
    call('POST', '/internal/scopes/resolve', { ...environment(), references, ...more })

  it('knows the geocoder of a market', async () => {
    const { database } = core
    const [added] = await database.query<{ id: number }>(
      `INSERT INTO geocoders (environment_id, type, name, sealed_key)
        VALUES ($1, 'bing_geocoders', 'Ours', 'sealed') RETURNING id`,
      [shop.environmentId],
    )
    const geocoder = added?.id ?? 0
    const set = 'UPDATE markets SET geocoder_id = $2 WHERE id = $1'
    await database.query(set, [shop.marketId, geocoder])
    const reference = { type: 'market', by: 'id', value: encodeId('markets', shop.marketId) }
    const { body } = await resolve([reference])
    expect(body).toMatchObject({ markets: [{ geocoder_id: encodeId('geocoders', geocoder) }] })
    await database.query(set, [shop.marketId, null])
  })

  it('finds markets, stores and stock locations by id and by code, with the facts about them', async () => {
    const references = [
      { type: 'market', by: 'id', value: encodeId('markets', shop.marketId) },
      { type: 'market', by: 'code', value: 'CLUB' },
      { type: 'store', by: 'code', value: 'DUOMO' },
      { type: 'stock_location', by: 'code', value: 'TRN' },
    ]
    const { status, body } = await resolve(references)
    const id = (type: string, number: number): string => encodeId(type, number)
    expect(status).toBe(200)
    expect(body).toEqual({
      references: [
        { ...references[0], id: id('markets', shop.marketId) },
        { ...references[1], id: id('markets', privateMarketId) },
        { ...references[2], id: id('stores', storeId) },
        { ...references[3], id: id('stock_locations', shop.stockLocationId) },
      ],
      markets: [
        {
          id: id('markets', shop.marketId),
          code: 'IT',
          is_disabled: false,
          customer_group_id: null,
          stock_location_ids: [id('stock_locations', shop.stockLocationId)],
          geocoder_id: null,
          allows_external_prices: false,
        },
        {
          id: id('markets', privateMarketId),
          code: 'CLUB',
          is_disabled: true,
          customer_group_id: id('customer_groups', groupId),
          stock_location_ids: [id('stock_locations', shop.stockLocationId)],
          geocoder_id: null,
          allows_external_prices: true,
        },
      ],
      stores: [
        {
          id: id('stores', storeId),
          code: 'DUOMO',
          market_id: id('markets', shop.marketId),
          stock_location_id: id('stock_locations', ownLocationId),
        },
      ],
      stock_locations: [
        {
          id: id('stock_locations', shop.stockLocationId),
          code: 'TRN',
          market_ids: [id('markets', shop.marketId), id('markets', privateMarketId)],
        },
      ],
    })
  })

  it("gives a store's market with it", async () => {
    const { body } = await resolve([{ type: 'store', by: 'id', value: encodeId('stores', storeId) }])
    expect(body).toMatchObject({ markets: [{ code: 'IT' }], stores: [{ code: 'DUOMO' }] })
  })

  it.each([
    ['an unknown code', { type: 'market', by: 'code', value: 'NOPE' }],
    ['a code in other letters', { type: 'market', by: 'code', value: 'it' }],
    ['an id that is none', { type: 'market', by: 'id', value: 'zzzzzzzzzz' }],
    ['a number', { type: 'market', by: 'id', value: '1' }],
    ['an id of another type', { type: 'store', by: 'id', value: encodeId('markets', 1) }],
    ['an empty code', { type: 'stock_location', by: 'code', value: '' }],
  ])('finds nothing for %s', async (_case, reference) => {
    expect((await resolve([reference])).body).toEqual({
      references: [{ ...reference, id: null }],
      markets: [],
      stores: [],
      stock_locations: [],
    })
  })

  it('finds nothing of another organization or mode', async () => {
    const foreignMarket = { type: 'market', by: 'id', value: encodeId('markets', foreign.marketId) }
    const own = { type: 'market', by: 'code', value: 'IT' }
    expect((await resolve([foreignMarket])).body).toMatchObject({ references: [{ id: null }], markets: [] })
    expect((await resolve([own], { mode: 'live' })).body).toMatchObject({
      references: [{ id: null }],
      markets: [],
    })
  })

  it('names each error of the references', async () => {
    const response = await resolve([{ type: 'country', by: 'name', value: 7 }])
    expect([...refusalOf(response).sources].sort()).toEqual([
      '/references/0/by',
      '/references/0/type',
      '/references/0/value',
    ])
  })
})

describe('POST /internal/customers/authenticate', () => {
  const authenticate = (email: string, password: string, more: object = {}): Promise<InProcessResponse> =>
    call('POST', '/internal/customers/authenticate', { ...environment(), email, password, ...more })

  it.each(['ann@example.com', 'Ann@Example.COM'])('knows %s by the password', async (email) => {
    const response = await authenticate(email, 'correct horse')
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      id: encodeId('customers', shop.customerId),
      email: 'ann@example.com',
      customer_group_id: encodeId('customer_groups', groupId),
      password_mark: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as unknown,
      password_set_at: expect.any(Number) as unknown,
    })
  })

  it.each([
    ['a wrong password', 'ann@example.com', 'wrong horse', {}],
    ['an unknown email', 'bob@example.com', 'correct horse', {}],
    ['an empty password', 'ann@example.com', '', {}],
    ['the right password in another mode', 'ann@example.com', 'correct horse', { mode: 'live' }],
    [
      'a customer of another organization without a password',
      'ann@example.com',
      'correct horse',
      { organization_id: OTHER },
    ],
  ])('answers %s with the same 404', async (_case, email, password, more) => {
    const response = await authenticate(email, password, more)
    expect(refusalOf(response)).toEqual({ status: 404, code: 'RECORD_NOT_FOUND', sources: [undefined] })
    expect(response.text).not.toContain(email)
  })

  it('computes one hash for an unknown email as for a wrong password, so that it takes as long', async () => {
    for (const email of ['ann@example.com', 'nobody@example.com']) {
      const before = passwordWork().computed
      await authenticate(email, 'wrong horse')
      expect(passwordWork().computed - before).toBe(1)
    }
  })
})

describe('GET /internal/customers/:id', () => {
  const path = (id: string, query = `organization_id=${shop.organizationId}&mode=test`): string =>
    `/internal/customers/${id}?${query}`

  it('gives the customer', async () => {
    expect((await call('GET', path(encodeId('customers', shop.customerId)))).body).toMatchObject({
      email: 'ann@example.com',
    })
  })

  it('marks the password, so that another one is seen and a look at it is not', async () => {
    const read = async () => {
      const { body } = await call('GET', path(encodeId('customers', shop.customerId)))
      return (body as { password_mark: string }).password_mark
    }
    const mark = await read()
    expect(await read()).toBe(mark)
    const { database } = core
    const [customer] = await database.query<{ password_hash: string }>(
      'SELECT password_hash FROM customers WHERE id = $1',
      [shop.customerId],
    )
    const setHash = (hash: string) =>
      database.query('UPDATE customers SET password_hash = $1 WHERE id = $2', [hash, shop.customerId])
    await setHash(await hashPassword('correct horse'))
    expect(await read()).not.toBe(mark)
    await setHash(customer?.password_hash ?? '')
    expect(await read()).toBe(mark)
  })

  it.each([
    ['an id that is none', 'zzzzzzzzzz'],
    ['a number', '1'],
    ['an unknown id', encodeId('customers', 999_999)],
  ])('does not find %s', async (_case, id) => {
    expect((await call('GET', path(id))).status).toBe(404)
  })

  it('does not find a customer of another organization', async () => {
    expect((await call('GET', path(encodeId('customers', foreign.customerId)))).status).toBe(404)
  })

  it('needs to know the environment', async () => {
    expect(refusalOf(await call('GET', path('x', 'mode=test')))).toMatchObject({
      status: 400,
      sources: ['/organization_id'],
    })
  })
})

describe('PUT /internal/environments', () => {
  it('creates, renames and repeats', async () => {
    const put = (name: string): Promise<InProcessResponse> =>
      call('PUT', '/internal/environments', {
        organization_id: 'nEwOrgAniz',
        mode: 'live',
        slug: 'new',
        name,
      })
    const stored = () =>
      core.database.query("SELECT mode, slug, name FROM environments WHERE organization_id = 'nEwOrgAniz'")
    expect((await put('New')).status).toBe(204)
    expect((await put('Newer')).status).toBe(204)
    expect((await put('Newer')).status).toBe(204)
    expect(await stored()).toEqual([{ mode: 'live', slug: 'new', name: 'Newer' }])
  })

  it.each(['', 'Not A Slug', '-x', 'x'.repeat(64)])('refuses the slug %j', async (slug) => {
    const response = await call('PUT', '/internal/environments', { ...environment(), slug, name: 'x' })
    expect(refusalOf(response)).toMatchObject({ status: 400, sources: ['/slug'] })
  })
})

describe('GET /internal/record-types', () => {
  const typesOf = (id: string): Promise<InProcessResponse> =>
    call('GET', `/internal/record-types?organization_id=${id}`)

  it('names what an organization has, in either environment', async () => {
    const { status, body } = await typesOf(shop.organizationId)
    expect(status).toBe(200)
    const some: unknown = expect.arrayContaining(['customers', 'markets', 'stores'])
    expect(body).toEqual({ record_types: some })
  })

  it('names nothing of an organization without records, also one that is unknown', async () => {
    await call('PUT', '/internal/environments', {
      ...{ organization_id: 'emptyOrgAn', mode: 'live', slug: 'empty', name: 'Empty' },
    })
    for (const id of ['emptyOrgAn', 'nobodyKnow'])
      expect((await typesOf(id)).body).toEqual({ record_types: [] })
  })

  it('refuses what is no organization', async () => {
    expect(refusalOf(await typesOf('1'))).toMatchObject({ status: 400, sources: ['/organization_id'] })
  })
})
