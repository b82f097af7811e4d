/** core-conventions.md 8 and 9.1: create, update and delete of any resource. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, MEDIA_TYPE, NOW, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('writes')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Body = Readonly<Record<string, unknown>>

const post = (path: string, data: Body, token = core.tokens.admin) => core.send('POST', path, token, { data })
const patch = (path: string, data: Body, token = core.tokens.admin) =>
  core.send('PATCH', path, token, { data })
const remove = (path: string, token = core.tokens.admin) => core.send('DELETE', path, token)
const one = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
const category = { shipping_category: one('shipping_categories', 1) }
const sku = encodeId('skus', SKUS.A)

const seen = (response: Parameters<typeof errorsOf>[0]) =>
  errorsOf(response).map(({ code, title, detail, source, meta }) => ({
    code,
    title,
    detail,
    pointer: source?.pointer,
    meta,
  }))

describe('POST', () => {
  it('gives 201, the resource and its address', async () => {
    const attributes = {
      code: 'NEW',
      name: 'New',
      weight: 1.5,
      metadata: { a: [1] },
      reference: 'r',
      reference_origin: 'o',
    }
    const response = await post('/api/skus?include=shipping_category', {
      type: 'skus',
      attributes,
      relationships: category,
    })
    expect(response.status).toBe(201)
    expect(response.headers['content-type']).toBe(MEDIA_TYPE)
    const { data, included } = singleOf(response)
    expect(data.attributes).toMatchObject({
      ...attributes,
      do_not_ship: false,
      description: null,
      inventory: null,
    })
    expect(response.headers['location']).toBe(data.links.self)
    expect(included?.[0]?.attributes['name']).toBe('Merchandise')
    expect(singleOf(await core.get(`/api/skus/${data.id}`, core.tokens.admin)).data.attributes['code']).toBe(
      'NEW',
    )
  })

  it('belongs to the environment of the token', async () => {
    const { data } = singleOf(
      await post('/api/shipping_categories', { type: 'shipping_categories', attributes: { name: 'Mine' } }),
    )
    for (const token of [core.tokens.otherOrganization, core.tokens.live]) {
      expect((await core.get(`/api/shipping_categories/${data.id}`, token)).status).toBe(404)
    }
  })

  it('works in an environment that nobody announced', async () => {
    const organization = { id: 'nEverSeenZ', slug: 'new', enterprise: false, region: 'eu-west-1' }
    const token = await core.tokens.mint({ organization })
    expect(
      (await post('/api/customer_groups', { type: 'customer_groups', attributes: { name: 'x' } }, token))
        .status,
    ).toBe(201)
  })

  it('says what is missing, all at once', async () => {
    expect(seen(await post('/api/skus', { type: 'skus', attributes: { name: ' ', weight: -1 } }))).toEqual([
      {
        code: 'VALIDATION_ERROR',
        title: "can't be blank",
        detail: "code - can't be blank",
        pointer: '/data/attributes/code',
        meta: { error: 'blank' },
      },
      {
        code: 'VALIDATION_ERROR',
        title: "can't be blank",
        detail: "name - can't be blank",
        pointer: '/data/attributes/name',
        meta: { error: 'blank' },
      },
      {
        code: 'VALIDATION_ERROR',
        title: 'must be greater than or equal to 0',
        detail: 'weight - must be greater than or equal to 0',
        pointer: '/data/attributes/weight',
        meta: { error: 'greater_than_or_equal_to', value: -1, count: 0 },
      },
      {
        code: 'VALIDATION_ERROR',
        title: "can't be blank",
        detail: "shipping_category - can't be blank",
        pointer: '/data/relationships/shipping_category',
        meta: { error: 'blank' },
      },
    ])
  })

  it('refuses a code that is taken, in this environment only', async () => {
    const data = { type: 'skus', attributes: { code: 'SKU-A', name: 'x' }, relationships: category }
    expect(seen(await post('/api/skus', data))).toEqual([
      {
        code: 'VALIDATION_ERROR',
        title: 'has already been taken',
        detail: 'code - has already been taken',
        pointer: '/data/attributes/code',
        meta: { error: 'taken', value: 'SKU-A' },
      },
    ])
    const group = { type: 'customer_groups', attributes: { name: 'VIP', code: 'vip' } }
    expect((await post('/api/customer_groups', group)).status).toBe(422)
    expect((await post('/api/customer_groups', group, core.tokens.live)).status).toBe(201)
  })

  it('refuses a second price of a SKU in a list with 409', async () => {
    const relationships = { price_list: one('price_lists', 1), sku: one('skus', SKUS.A) }
    const response = await post('/api/prices', {
      type: 'prices',
      attributes: { amount_cents: 1 },
      relationships,
    })
    expect(response.status).toBe(409)
    expect(errorsOf(response)[0]).toMatchObject({
      code: 'RECORD_NOT_UNIQUE',
      status: '409',
      detail: expect.stringContaining('price_list and sku') as unknown,
    })
  })

  it('lets exactly one of two simultaneous writers have a code', async () => {
    const data = { type: 'skus', attributes: { code: 'RACE', name: 'x' }, relationships: category }
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => post('/api/skus', data)))).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409 || status === 422)).toHaveLength(7)
  })

  it.each([
    ['of another environment', 1001],
    ['that does not exist', 4242],
  ])('refuses a link to a resource %s', async (_name, number) => {
    const relationships = { shipping_category: one('shipping_categories', number) }
    const response = await post('/api/skus', {
      type: 'skus',
      attributes: { code: 'X', name: 'x' },
      relationships,
    })
    expect(seen(response)).toMatchObject([
      { title: "doesn't exist", pointer: '/data/relationships/shipping_category', meta: { error: 'noent' } },
    ])
  })

  it('stores the type of a member of an abstract type and links to it by either name', async () => {
    const { data } = singleOf(
      await post('/api/manual_gateways', { type: 'manual_gateways', attributes: { name: 'Cash' } }),
    )
    for (const type of ['manual_gateways', 'payment_gateways']) {
      const attributes = {
        payment_source_type: 'wire_transfers',
        price_amount_cents: 0,
        currency_code: 'EUR',
      }
      const relationships = { payment_gateway: { data: { type, id: data.id } } }
      const response = await post('/api/payment_methods?include=payment_gateway', {
        type: 'payment_methods',
        attributes,
        relationships,
      })
      expect(singleOf(response).included?.[0]).toMatchObject({ type: 'manual_gateways', id: data.id })
    }
  })

  it('runs triggers', async () => {
    const data = { type: 'manual_gateways', attributes: { name: 'Cash', _disable: true } }
    const { attributes } = singleOf(await post('/api/manual_gateways', data)).data
    expect(attributes['disabled_at']).toBe(NOW)
    expect(attributes).not.toHaveProperty('_disable')
  })
})

describe('PATCH', () => {
  it('changes what was sent and nothing else', async () => {
    const before = singleOf(await core.get(`/api/skus/${sku}`, core.tokens.admin)).data.attributes
    const response = await patch(`/api/skus/${sku}`, {
      type: 'skus',
      id: sku,
      attributes: { name: 'Renamed' },
      relationships: {},
    })
    expect(response.status).toBe(200)
    const after = singleOf(response).data.attributes
    expect({ ...after, name: before['name'], updated_at: before['updated_at'] }).toEqual(before)
    expect(after['name']).toBe('Renamed')
    expect(Date.parse(String(after['updated_at']))).toBeGreaterThan(Date.parse(String(before['updated_at'])))
  })

  it('replaces metadata as a whole and sets null', async () => {
    const { attributes } = singleOf(
      await patch(`/api/skus/${sku}`, {
        type: 'skus',
        id: sku,
        attributes: { metadata: { b: 2 }, description: null, reference: null },
      }),
    ).data
    expect(attributes).toMatchObject({ metadata: { b: 2 }, description: null, reference: null })
  })

  it('changes a to-one relationship and removes it', async () => {
    const path = `/api/stores/${encodeId('stores', 1)}`
    const write = (relationship: unknown) =>
      patch(`${path}?include=stock_location`, {
        type: 'stores',
        id: encodeId('stores', 1),
        relationships: { stock_location: relationship },
      })
    expect(singleOf(await write(one('stock_locations', 2))).included?.[0]?.attributes['code']).toBe(
      'new-york',
    )
    expect(singleOf(await write({ data: null })).data.relationships?.['stock_location']?.data).toBeNull()
  })

  it('refuses to empty what is required', async () => {
    const data = {
      type: 'skus',
      id: sku,
      attributes: { name: null },
      relationships: { shipping_category: { data: null } },
    }
    expect(seen(await patch(`/api/skus/${sku}`, data)).map(({ pointer }) => pointer)).toEqual([
      '/data/attributes/name',
      '/data/relationships/shipping_category',
    ])
  })

  it('keeps its own unique value and refuses that of another', async () => {
    expect(
      (await patch(`/api/skus/${sku}`, { type: 'skus', id: sku, attributes: { code: 'SKU-A' } })).status,
    ).toBe(200)
    expect(
      (await patch(`/api/skus/${sku}`, { type: 'skus', id: sku, attributes: { code: 'SKU-B' } })).status,
    ).toBe(422)
  })

  it('enables and disables, keeping the first time', async () => {
    const id = encodeId('markets', 1)
    const start = core.clock.now().toISOString()
    const trigger = async (name: string) =>
      singleOf(await patch(`/api/markets/${id}`, { type: 'markets', id, attributes: { [name]: true } })).data
        .attributes['disabled_at']
    expect(await trigger('_disable')).toBe(start)
    core.clock.advance(60)
    expect(await trigger('_disable')).toBe(start)
    expect(await trigger('_enable')).toBeNull()
    const both = { type: 'markets', id, attributes: { _enable: true, _disable: true } }
    expect(seen(await patch(`/api/markets/${id}`, both)).map(({ pointer }) => pointer)).toEqual([
      '/data/attributes/_enable',
    ])
  })

  it('takes effect for the next read of a scoped token', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const codes = async () => (await core.get('/api/skus', token)).text.match(/SKU-[A-F]/g)
    expect(await codes()).toContain('SKU-A')
    const id = encodeId('markets', 1)
    await patch(`/api/markets/${id}`, { type: 'markets', id, attributes: { _disable: true } })
    expect(await codes()).toBeNull()
  })

  it('keeps the changes of simultaneous writers of different attributes', async () => {
    const write = (attributes: Body) => patch(`/api/skus/${sku}`, { type: 'skus', id: sku, attributes })
    await Promise.all([
      write({ name: 'N' }),
      write({ description: 'D' }),
      write({ reference: 'R' }),
      write({ weight: 5 }),
    ])
    const { attributes } = singleOf(await core.get(`/api/skus/${sku}`, core.tokens.admin)).data
    expect(attributes).toMatchObject({ name: 'N', description: 'D', reference: 'R', weight: 5 })
  })

  it('of a resource of another environment is 404 and changes nothing', async () => {
    const id = encodeId('skus', 1001)
    expect(
      (await patch(`/api/skus/${id}`, { type: 'skus', id, attributes: { name: 'stolen' } })).status,
    ).toBe(404)
    expect((await core.pool.query('SELECT name FROM skus WHERE id = 1001')).rows).toEqual([
      { name: 'Black shirt' },
    ])
  })
})

describe('DELETE', () => {
  it('gives 204 without a body, then 404', async () => {
    const path = `/api/stores/${encodeId('stores', 2)}`
    const response = await remove(path)
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await core.get(path, core.tokens.admin)).status).toBe(404)
    expect((await remove(path)).status).toBe(404)
  })

  it('is 423 while others depend on it, naming them', async () => {
    const market = await remove(`/api/markets/${encodeId('markets', 1)}`)
    expect(market.status).toBe(423)
    expect(errorsOf(market)[0]).toMatchObject({
      code: 'LOCKED',
      status: '423',
      detail: 'Cannot be deleted because dependent stores exist',
    })
    const list = await remove(`/api/price_lists/${encodeId('price_lists', 1)}`)
    expect(list.status).toBe(423)
  })

  it('of a SKU takes its prices and stock items with it', async () => {
    const id = encodeId('skus', SKUS.F)
    expect((await remove(`/api/skus/${id}`)).status).toBe(204)
    expect((await core.get(`/api/prices/${encodeId('prices', 6)}`, core.tokens.admin)).status).toBe(404)
  })

  it('takes no parameters', async () => {
    expect(errorsOf(await remove(`/api/stores/${encodeId('stores', 2)}?include=market`))[0]?.code).toBe(
      'PARAM_NOT_ALLOWED',
    )
  })

  it('of a resource of another environment is 404', async () => {
    expect((await remove(`/api/stores/${encodeId('stores', 1001)}`)).status).toBe(404)
    expect((await core.pool.query('SELECT 1 FROM stores WHERE id = 1001')).rows).toHaveLength(1)
  })
})
