/** Links: an address to share that leads to an order, a SKU or a list, for a while. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, NOW, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('links')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const LINK = { name: 'Instagram', client_id: 'storefront-1', scope: 'market:code:eu' }

const create = (attributes: Body = LINK, item: Body = one('skus', 1), query = '') =>
  core.send('POST', `/api/links${query}`, core.tokens.admin, {
    data: { type: 'links', attributes, relationships: { item } },
  })

const change = (id: string, attributes: Body) =>
  core.send('PATCH', `/api/links/${id}`, core.tokens.admin, { data: { type: 'links', id, attributes } })

const idOf = async (attributes: Body = LINK, item: Body = one('skus', 1)): Promise<string> =>
  singleOf(await create(attributes, item)).data.id

describe('a link', () => {
  it('holds from now on, for a month, and has no address without a domain', async () => {
    const response = await create(LINK, one('skus', 1), '?include=item')
    expect(response.status).toBe(201)
    expect(singleOf(response).data).toMatchObject({
      attributes: {
        ...LINK,
        starts_at: NOW,
        expires_at: '2026-12-20T12:00:00.000Z',
        status: 'active',
        active: true,
        domain: null,
        url: null,
        item_type: 'skus',
        params: {},
        disabled_at: null,
      },
      relationships: { item: one('skus', 1) },
    })
  })

  it('has the address of the page that answers it', async () => {
    const { id, attributes } = singleOf(
      await create({ ...LINK, domain: 'links.example.com', params: { lang: 'it' } }, one('orders', 1)),
    ).data
    expect(attributes).toMatchObject({
      url: `https://links.example.com/${id}`,
      item_type: 'orders',
      params: { lang: 'it' },
    })
    expect(attributesOf(await change(id, { domain: 'go.example.com:8443' }))['url']).toBe(
      `https://go.example.com:8443/${id}`,
    )
  })

  it.each([
    ['pending', { starts_at: '2099-01-01T00:00:00Z' }],
    ['expired', { starts_at: '2020-01-01T00:00:00Z', expires_at: '2020-02-01T00:00:00Z' }],
    ['disabled', { _disable: true, starts_at: '2099-01-01T00:00:00Z' }],
    ['active', { starts_at: null, expires_at: null }],
  ])('is %s', async (status, attributes) => {
    expect(attributesOf(await create({ ...LINK, ...attributes }))).toMatchObject({
      status,
      active: status === 'active',
    })
  })

  it('that starts later ends a month after its start', async () => {
    expect(attributesOf(await create({ ...LINK, starts_at: '2099-01-31T10:00:00Z' }))).toMatchObject({
      expires_at: '2099-02-28T10:00:00.000Z',
    })
  })

  it('is switched off and on', async () => {
    const id = await idOf()
    expect(attributesOf(await change(id, { _disable: true }))).toMatchObject({
      status: 'disabled',
      disabled_at: NOW,
    })
    expect(attributesOf(await change(id, { _enable: true }))).toMatchObject({
      status: 'active',
      disabled_at: null,
    })
  })

  it.each(['orders', 'skus', 'sku_lists'])('is found from its item, one of %s', async (type) => {
    const list = singleOf(
      await core.send('POST', '/api/sku_lists', core.tokens.admin, {
        data: { type: 'sku_lists', attributes: { name: 'Summer' } },
      }),
    ).data.id
    const item = type === 'sku_lists' ? linkTo(type, list) : one(type, 1)
    const id = await idOf(LINK, item)
    const path = `/api/${type}/${item.data.id}`
    const idsIn = async (query: string) =>
      listOf(await core.get(query, core.tokens.admin)).data.map((record) => record.id)
    expect(await idsIn(`${path}/links`)).toEqual([id])
    expect(await idsIn(`/api/${type}?filter[q][links_name_eq]=Instagram`)).toEqual([item.data.id])
  })

  it('goes when its item goes', async () => {
    const list = singleOf(
      await core.send('POST', '/api/sku_lists', core.tokens.admin, {
        data: { type: 'sku_lists', attributes: { name: 'Summer' } },
      }),
    ).data.id
    const id = await idOf(LINK, linkTo('sku_lists', list))
    expect((await core.send('DELETE', `/api/sku_lists/${list}`, core.tokens.admin)).status).toBe(204)
    expect((await core.get(`/api/links/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it('is moved to another item and deleted', async () => {
    const id = await idOf()
    const moved = await core.send('PATCH', `/api/links/${id}?include=item`, core.tokens.admin, {
      data: { type: 'links', id, relationships: { item: one('orders', 1) } },
    })
    expect(singleOf(moved).data).toMatchObject({
      attributes: { item_type: 'orders' },
      relationships: { item: one('orders', 1) },
    })
    expect((await core.send('DELETE', `/api/links/${id}`, core.tokens.admin)).status).toBe(204)
  })
})

describe('the scope of a link', () => {
  it.each([
    ['a market by its id', `market:id:${encodeId('markets', 1)}`],
    ['a market and a location', 'market:code:eu stock_location:code:milano'],
    ['all markets', 'market:all'],
  ])('may be %s', async (_case, scope) => {
    expect((await create({ ...LINK, scope })).status).toBe(201)
  })

  it.each([
    ['no scope', 'everything', 'invalid', /is not a scope of tokens: .*market:id:<id>/],
    ['an unknown market', 'market:code:moon', 'not_found', /no market of the shop.*code moon/],
    ['an id of nothing', 'store:id:xxxxxxxxxx', 'not_found', /no store of the shop/],
    ['a market of another shop', `market:id:${encodeId('markets', 1001)}`, 'not_found', /no market/],
  ])('is refused with %s', async (_case, scope, error, message) => {
    const response = await create({ ...LINK, scope })
    expect(at(response)).toEqual([['422', '/data/attributes/scope', error]])
    expect(errorsOf(response)[0]?.title).toMatch(message)
  })
})

describe('a link is refused', () => {
  it.each<[string, Body, string, string]>([
    ['without a name', { name: null }, 'name', 'blank'],
    ['without a client', { client_id: null }, 'client_id', 'blank'],
    [
      'with an end before its start',
      { starts_at: '2030-01-01T00:00:00Z', expires_at: '2029-01-01T00:00:00Z' },
      'expires_at',
      'invalid',
    ],
    [
      'with a start after its end',
      { starts_at: '2099-01-01T00:00:00Z', expires_at: '2029-01-01T00:00:00Z' },
      'expires_at',
      'invalid',
    ],
    ['with an address for a domain', { domain: 'https://links.example.com' }, 'domain', 'invalid'],
    ['with a time that is none', { expires_at: 'tomorrow' }, 'expires_at', 'invalid'],
    ['with params that are a text', { params: 'lang=it' }, 'params', 'invalid'],
    ['with the type of something else', { item_type: 'orders' }, 'item_type', 'invalid'],
  ])('%s', async (_case, attributes, name, error) => {
    expect(at(await create({ ...LINK, ...attributes }))).toEqual([['422', `/data/attributes/${name}`, error]])
  })

  it('without an item, or with one that is not there', async () => {
    const response = await core.send('POST', '/api/links', core.tokens.admin, {
      data: { type: 'links', attributes: LINK },
    })
    expect(at(response)).toEqual([['422', '/data/relationships/item', 'blank']])
    expect(at(await create(LINK, linkTo('skus', 'xxxxxxxxxx')))).toEqual([
      ['422', '/data/relationships/item', 'noent'],
    ])
    expect(at(await create(LINK, one('skus', 1001)))).toEqual([['422', '/data/relationships/item', 'noent']])
    expect(errorsOf(await create(LINK, one('markets', 1)))).toMatchObject([{ code: 'TYPE_MISMATCH' }])
  })

  it('is closed to sales channels, other modes and other organizations', async () => {
    const id = await idOf()
    const guest = await core.tokens.mint(salesChannel([1]))
    expect((await core.get(`/api/links/${id}`, guest)).status).toBe(401)
    for (const token of [core.tokens.live, core.tokens.otherOrganization])
      expect((await core.get(`/api/links/${id}`, token)).status).toBe(404)
  })
})
